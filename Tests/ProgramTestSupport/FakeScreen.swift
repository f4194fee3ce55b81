import AlcedoBrowserCore
import AlcedoConfig
import AlcedoScreen
import AlcedoTerminal
import Raster
import TestSupport

/// A screen without a terminal: says what it was shown, and hands on what a test has happen.
@MainActor
package final class FakeScreen: Screen {
    package let events = DirectStream<TerminalEvent>()
    package var capabilities = TerminalCapabilities()
    package var size = GridSize(columns: 80, rows: 24)
    package var isBusy = false
    package var acknowledgementTime: Duration?
    package var report = [(name: "terminal", value: "fake")]

    package private(set) var frames: [Frame] = []
    package private(set) var pictures: [TerminalPicture] = []
    package private(set) var copies: [String] = []
    package private(set) var themes: [ThemeChoice] = []
    package private(set) var invalidations = 0
    package private(set) var suspensions = 0
    package private(set) var closings = 0
    private let changes: AsyncStream<Void>
    private let changeSink: AsyncStream<Void>.Continuation

    package init() {
        (changes, changeSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func present(_ frame: Frame, pictures: [TerminalPicture]) {
        frames.append(frame)
        self.pictures = pictures
        changeSink.yield()
    }

    package func copy(_ text: String) { copies.append(text) }

    package func setTheme(_ theme: ThemeChoice) {
        themes.append(theme)
        changeSink.yield()
    }

    package func invalidate() {
        invalidations += 1
        changeSink.yield()
    }

    package func suspend() {
        suspensions += 1
        changeSink.yield()
    }

    package func lend(_ body: () -> Void) { body() }

    package func close() {
        closings += 1
        events.finish()
        changeSink.finish()
    }

    package func happen(_ event: TerminalEvent) { events.yield(event) }

    package func type(_ text: String) { for character in text { happen(.key(.character(character))) } }

    /// Waits until a condition on this screen holds; false when the screen was closed before.
    @discardableResult
    package func comes(_ condition: () -> Bool) async -> Bool {
        if condition() { return true }
        for await _ in changes where condition() { return true }
        return condition()
    }

    /// Waits until the latest frame holds a text.
    @discardableResult
    package func shows(_ text: String) async -> Bool { await comes { frames.last?.text.contains(text) == true } }
}
