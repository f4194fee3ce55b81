import BrowserCore
import Foundation
import ImageLoading
import Lists
import Raster
import Terminal
import TerminalGraphics

/// The browser as it runs.
@MainActor
public final class BrowserProgram {
    private let settings: BrowserSettings
    private let rereading: Rereading?
    private let loop: ScreenLoop<BrowseState>
    private let presenter: PicturePresenter
    private let feed: BrowserFeed
    private let standIns: StandInPainter
    private let strips: PictureStrips

    /// Makes the settings anew from what they were made of; throws what is wrong with that.
    public typealias Rereading = @MainActor () async throws -> BrowserSettings

    /// `rereading` is for when the user wants the config file read again; nil, the default, leaves nothing to read.
    public init(settings: BrowserSettings, rereading: Rereading? = nil) {
        self.settings = settings
        self.rereading = rereading
        let presenter = PicturePresenter()
        self.presenter = presenter
        let options = BrowseOptions(settings, hold: presenter.addForFailures)
        presenter.transition = Transition(settings.display.transition.effect)
        strips = PictureStrips(presenter: presenter)
        standIns = StandInPainter(
            placeholder: settings.standingPlaceholder, indicator: settings.indicator.indicator,
            isASCII: settings.isASCII, presenter: presenter)
        loop = ScreenLoop(BrowseState(title: Redaction.display(settings.title), options: options))
        feed = BrowserFeed(lists: settings.lists, base: settings.base, inbox: loop.inbox)
    }

    /// Runs until the user quits; answers the exit code.
    ///
    /// Throws `ProgramProblem` when there is no terminal that can be used.
    public func run() async throws(ProgramProblem) -> Int32 {
        let device: TerminalDevice
        do throws(TerminalError) {
            device = try TerminalDevice(
                variables: settings.environment,
                settings: TerminalSettings(
                    graphics: settings.graphics, cell: settings.cell, mouse: settings.hasMouse, theme: settings.theme))
        } catch {
            throw ProgramProblem("the browser needs a terminal: \(error.explanation); try: alcedo prefetch")
        }
        return await run(on: device)
    }

    /// The same on a screen that is there.
    func run(on screen: any Screen) async -> Int32 {
        showFirstFrame(on: screen)
        let library = await Self.openLibrary(settings)
        let runner = EffectRunner(
            library: library, settings: settings, feed: feed, inbox: loop.inbox, presenter: presenter, screen: screen)
        presenter.onReady = { [inbox = loop.inbox] in inbox.wake() }
        if let problem = library.diskProblem { loop.inbox.post(.notice(problem.description)) }
        let notices = Task { [inbox = loop.inbox] in
            for await text in library.diskNotices() { inbox.post(.notice(text)) }
        }
        defer { notices.cancel() }
        runner.onReload = { [weak self, weak runner] in
            if let runner { await self?.reload(runner, screen) }
        }
        runner.onOpenCache = { [weak self, weak runner] in
            if let runner { await self?.openCache(of: library, runner.settings, screen) }
        }
        runner.start()
        let log = settings.logPath.map { LogFile(path: $0) }
        log?.append(LogLine(severity: .info, text: "browsing \(Redaction.display(settings.title))"))
        let chronicle = BrowserLog { [feed] in Redaction.display(feed.location($0) ?? "") }
        let code = await loop.run(on: screen, hear: { chronicle.line(for: $0).map { log?.append($0) } }) { effect in
            if case .quit(let code) = runner.run(effect) { loop.quit(code) }
        } pictures: { frame in
            presenter.adopt(
                screen.capabilities, implementation: settings.sixelImplementation, blockSet: settings.blockSet)
            let cell = screen.capabilities.cell
            standIns.paint(&frame, cell: cell)
            let largest = presenter.largestPicture
            let kept = screen.capabilities.sixelQuirks.keptPictures
            if let largest { frame.pictures = strips.merge(frame, cell: cell, largest: largest, kept: kept) }
            let rows = largest.map { PictureStrips.rows(of: screen.size.columns, $0, kept: kept) }
            if loop.state.mostThumbnailRows != rows { loop.inbox.post(.thumbnailRows(rows)) }
            return presenter.pictures(
                for: frame.pictures, isBusy: screen.isBusy, acknowledgementTime: screen.acknowledgementTime)
        }
        await runner.stop()
        await library.close()
        log?.append(LogLine(severity: .info, text: "left with status \(code)"))
        await log?.close()
        return code
    }

    /// What the user marked, or else chose, as the list has it; for `--select`.
    public var selectedLocations: [String] {
        let state = loop.state
        let chosen = state.marked.isEmpty ? state.selected.map { [$0] } ?? [] : state.marked
        return chosen.compactMap { feed.location($0) }
    }

    /// How many lines of the lists were not usable, as far as they were read.
    public var skippedLines: Int { loop.state.skippedLines ?? 0 }

    /// How often something was left out of a line that was usable, as far as the lists were read.
    public var notedParts: Int { feed.noteCount }

    /// Lends the screen to the cache's own one, until that is left.
    private func openCache(of library: Library, _ settings: BrowserSettings, _ screen: any Screen) async {
        guard library.cache.disk != nil else { return loop.inbox.post(.notice("the disk cache is off")) }
        let program = CacheProgram(
            cache: library.cache, hasList: true, isASCII: settings.isASCII, theme: settings.theme,
            environment: settings.environment)
        let departures = CacheDepartures(from: library.cache)
        await loop.lend(screen) { await program.run(on: $0) }
        let gone = await departures.end()
        let items = loop.state.itemsOnDisk.filter { item in
            guard case .network(let resource) = feed.source(item) else { return false }
            return gone.contains(resource.cacheKey)
        }
        if !items.isEmpty { loop.inbox.post(.leftCache(items)) }
        guard !program.opened.isEmpty else { return }
        let chosen = await feed.item(of: program.opened)
        let advice = program.openedAddresses.isEmpty ? "" : ": alcedo cache can open it"
        loop.inbox.post(chosen.map { .chosen($0) } ?? .notice("this list does not contain it\(advice)"))
    }

    /// Reads the settings again and takes what can change while it runs; a fault changes nothing and is told.
    private func reload(_ runner: EffectRunner, _ screen: any Screen) async {
        guard let rereading else { return loop.inbox.post(.notice("nothing to reload")) }
        let new: BrowserSettings
        do { new = try await rereading() } catch { return loop.inbox.post(.notice("\(error)")) }
        screen.setTheme(new.theme)
        presenter.transition = Transition(new.display.transition.effect)
        standIns.use(
            placeholder: new.standingPlaceholder, indicator: new.indicator.indicator, isASCII: new.isASCII)
        let waiting = new.needingRestart(since: runner.settings)
        runner.adopt(new)
        let options = BrowseOptions(new, hold: presenter.addForFailures)
        loop.inbox.post(.optionsChanged(options))
        let rest = waiting.isEmpty ? "" : "; \(waiting.joined(separator: ", ")) after a restart"
        loop.inbox.post(.notice("configuration reloaded\(rest)"))
        // The next frame is drawn after these messages: it no longer shows the old one.
        if case .picture(let old) = loop.state.options.failure { presenter.release(old.picture) }
    }

    /// What there is to see before the caches are open and the list is read.
    private func showFirstFrame(on screen: any Screen) {
        var empty = loop.state
        _ = empty.update(.resized(screen.size, screen.capabilities.cell))
        screen.present(empty.frame, pictures: [])
    }

    @concurrent
    private static func openLibrary(_ settings: BrowserSettings) async -> Library {
        PictureMemory.returnEarly()
        return Library(settings: settings.library)
    }
}
