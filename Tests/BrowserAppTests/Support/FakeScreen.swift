import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Raster

@testable import BrowserApp

/// A screen without a terminal: says what it was shown, and hands on what a test has happen.
@MainActor
final class FakeScreen: Screen {
    let events = DirectStream<TerminalEvent>()
    var capabilities = TerminalCapabilities()
    var size = GridSize(columns: 80, rows: 24)
    var isBusy = false
    var acknowledgementTime: Duration?
    var report = [(name: "terminal", value: "fake")]

    private(set) var frames: [Frame] = []
    private(set) var pictures: [TerminalPicture] = []
    private(set) var copies: [String] = []
    private(set) var themes: [ThemeChoice] = []
    private(set) var invalidations = 0
    private(set) var suspensions = 0
    private(set) var closings = 0
    private let changes: AsyncStream<Void>
    private let changeSink: AsyncStream<Void>.Continuation

    init() {
        (changes, changeSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func present(_ frame: Frame, pictures: [TerminalPicture]) {
        frames.append(frame)
        self.pictures = pictures
        changeSink.yield()
    }

    func copy(_ text: String) { copies.append(text) }

    func setTheme(_ theme: ThemeChoice) {
        themes.append(theme)
        changeSink.yield()
    }

    func invalidate() {
        invalidations += 1
        changeSink.yield()
    }

    func suspend() {
        suspensions += 1
        changeSink.yield()
    }

    func close() {
        closings += 1
        events.finish()
        changeSink.finish()
    }

    func happen(_ event: TerminalEvent) { events.yield(event) }

    func type(_ text: String) { for character in text { happen(.key(.character(character))) } }

    /// Waits until a condition on this screen holds; false when the screen was closed before.
    @discardableResult
    func comes(_ condition: () -> Bool) async -> Bool {
        if condition() { return true }
        for await _ in changes where condition() { return true }
        return condition()
    }

    /// Waits until the latest frame holds a text.
    @discardableResult
    func shows(_ text: String) async -> Bool { await comes { frames.last?.text.contains(text) == true } }
}

extension Frame {
    /// Line by line.
    var text: String {
        (0..<size.rows).map { row in String((0..<size.columns).compactMap { self[$0, row].character }) }
            .joined(separator: "\n")
    }
}
