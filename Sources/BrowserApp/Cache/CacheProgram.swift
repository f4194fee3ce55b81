import AlcedoBrowserCore
import AlcedoCacheScreen
import AlcedoConfig
import AlcedoScreen
import AlcedoSupport
import AlcedoTerminal
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

/// The cache inspection screen.
///
/// It opens a terminal of its own or runs on the screen that the browser lends it (`ScreenLoop.lend`).
@MainActor
package final class CacheProgram {
    let cache: ImageCache
    private let environment: [String: String]
    private let sandbox: SandboxMode
    private let terminal: TerminalSettings
    let loop: ScreenLoop<CacheScreenState>
    private let presenter = PicturePresenter()
    let decoder: any ImageDecoding
    /// The last enqueued command; commands run one after the other.
    private var lastCommand: Task<Void, Never>?
    private var details: Task<Void, Never>?

    /// The entries to show in the browser; empty unless the user opened some, which closes the screen.
    package private(set) var opened: [CacheEntry] = []
    /// Whether the browser has a list; without one, only entries with a stored address can be opened.
    private let hasList: Bool

    /// - Parameters:
    ///   - hasList: Whether the browser has a list; the opened entries may be in it.
    ///   - isStandalone: Whether the screen runs by itself, not within the browser.
    package convenience init(
        cache: ImageCache, hasList: Bool = false, isStandalone: Bool = false, isASCII: Bool = false,
        hasMouse: Bool = true, theme: ThemeChoice = .auto, sandbox: SandboxMode = .auto,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.init(
            cache: cache, hasList: hasList, terminal: TerminalSettings(mouse: hasMouse, theme: theme), sandbox: sandbox,
            environment: environment, state: CacheScreenState(isASCII: isASCII, isStandalone: isStandalone))
    }

    private init(
        cache: ImageCache, hasList: Bool, terminal: TerminalSettings, sandbox: SandboxMode,
        environment: [String: String], state: CacheScreenState
    ) {
        (self.hasList, self.terminal, self.cache, self.environment) = (hasList, terminal, cache, environment)
        self.sandbox = sandbox
        loop = ScreenLoop(state)
        decoder = sandbox.makeDecoder()
        presenter.onReady = { [inbox = loop.inbox] in inbox.wake() }
    }

    /// Returns a new program that continues in the same state.
    package func again() -> CacheProgram {
        CacheProgram(
            cache: cache, hasList: hasList, terminal: terminal, sandbox: sandbox, environment: environment,
            state: loop.state.reopened())
    }

    /// Runs until the user quits and returns the exit code.
    ///
    /// - Throws: `ProgramProblem` if there is no usable terminal.
    package func run() async throws(ProgramProblem) -> Int32 {
        await run(
            on: try TerminalDevice.open(
                terminal, environment, for: "the cache screen", alternative: "alcedo cache ls"))
    }

    /// Runs on an open screen, with the events that its owner lends or the screen's own.
    func run(on screen: any Screen, events: DirectStream<TerminalEvent>? = nil) async -> Int32 {
        sandbox.onMissingProtection { [inbox = loop.inbox] in inbox.post(.warning($0)) }
        let subscription = cache.disk?.onChange { [inbox = loop.inbox] in
            if $0 == .indexReset { inbox.post(.notice(DiskStorage.resetMessage)) }
        }
        defer { subscription?.cancel() }
        if cache.disk?.wasReset == true { loop.inbox.post(.notice(DiskStorage.resetMessage)) }
        let code = await loop.run(on: screen, events: events) {
            perform($0, on: screen)
        } pictures: { frame in
            presenter.adopt(screen.capabilities)
            let pictures = presenter.pictures(
                for: frame.pictures, isBusy: screen.isBusy, acknowledgementTime: screen.acknowledgementTime)
            return (pictures, true)
        }
        details?.cancel()
        await lastCommand?.value
        await cache.flush()
        return code
    }

    private func perform(_ effect: CacheScreenEffect, on screen: any Screen) {
        switch effect {
        case .query(let id, let query): Task { await answer(id, query) }
        case .totals: Task { await postTotals() }
        case .details(let id, let entry, let box): showDetails(id, entry, box)
        case .facts(let id, let entry): Task { await postDetails(id, entry) }
        case .find(let ids): Task { await find(ids) }
        case .releasePicture(let picture): presenter.release(picture)
        case .measure(let target): Task { await measure(target) }
        case .delete(let target): then { await $0.delete(target) }
        case .setPinned(let ids, let isPinned): then { await $0.setPinned(ids, isPinned) }
        case .verify(let ids): then { await $0.verify(ids) }
        case .export(let ids, let path): then { await $0.export(ids, to: path) }
        case .open(let ids): open(ids)
        case .redraw: screen.invalidate()
        case .suspend: screen.suspend()
        case .quit: loop.quit()
        }
    }

    private func then(_ command: @escaping @MainActor (CacheProgram) async -> Void) {
        let previous = lastCommand
        lastCommand = Task {
            await previous?.value
            await command(self)
        }
    }

    /// Shows the facts first, then the picture when it is decoded and encoded; another selection cancels both.
    private func showDetails(_ id: RequestID, _ entry: String, _ box: PixelSize) {
        details?.cancel()
        details = Task {
            guard let entry = await postDetails(id, entry), !Task.isCancelled else { return }
            let image = box.isEmpty ? nil : await picture(of: entry, within: box)
            guard !Task.isCancelled else { return }
            guard let image else { return loop.inbox.post(.preview(id, nil)) }
            let decoded = DecodedPicture(
                image.pixels.checkered(around: presenter.background), name: "cached \(entry.digest)")
            await presenter.prepare(decoded)
            guard !Task.isCancelled else { return }
            loop.inbox.post(.preview(id, CachePreview(picture: presenter.add(decoded), size: image.size)))
        }
    }

    private func open(_ ids: [String]) {
        Task {
            let found = await entries(ids)
            let usable = found.filter { hasList || Self.address(of: $0) != nil }
            guard !usable.isEmpty else {
                let reason = "its full address is not stored: open it from a list that contains it"
                return loop.inbox.post(.notice(found.isEmpty ? "it no longer exists" : reason))
            }
            opened = usable
            loop.quit()
        }
    }

    /// The addresses of the opened entries that can be loaded, without duplicates.
    package var openedAddresses: [String] {
        opened.compactMap(Self.address).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns nil for an address with secrets, which is not stored completely.
    private static func address(of entry: CacheEntry) -> String? {
        let url = entry.facts.url
        return url.contains("://") && !url.contains("…") ? url : nil
    }
}
