import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoTerminal
import Foundation
import ImageLoading
import Raster
import TerminalGraphics

/// The browser program.
@MainActor
public final class BrowserProgram {
    private let settings: BrowserSettings
    private let rereading: Rereading?
    private let loop: ScreenLoop<BrowseState>
    private let presenter: PicturePresenter
    private let listLoader: BrowserListLoader
    private let sessionFile: SessionFile?
    private let placeholders: PlaceholderPainter
    private let strips: PictureStrips

    /// Creates the settings again from the config file; throws the reason if that fails.
    package typealias Rereading = @MainActor () async throws -> BrowserSettings

    public convenience init(settings: BrowserSettings) { self.init(settings: settings, rereading: nil) }

    /// - Parameter rereading: Called when the user reloads the config file; nil means that there is none.
    package init(settings: BrowserSettings, rereading: Rereading?) {
        self.settings = settings
        self.rereading = rereading
        let presenter = PicturePresenter()
        self.presenter = presenter
        let options = BrowseOptions(settings, hold: presenter.addForFailures)
        presenter.transition = settings.display.transition.effect
        strips = PictureStrips(presenter: presenter)
        placeholders = PlaceholderPainter(
            placeholder: settings.effectivePlaceholder, indicator: settings.indicator.indicator,
            isASCII: settings.isASCII, presenter: presenter)
        loop = ScreenLoop(BrowseState(title: Redaction.display(settings.title), options: options))
        sessionFile =
            settings[.session]
            ? SessionFile(folder: UserFolder.state("sessions", settings.environment), lists: settings.lists) : nil
        listLoader = BrowserListLoader(
            lists: settings.lists, base: settings.base, session: sessionFile?.load() ?? BrowserSession(),
            inbox: loop.inbox)
    }

    /// Runs until the user quits and returns the exit code.
    ///
    /// - Throws: `ProgramProblem` if there is no usable terminal, or if too few files may be open.
    public func run() async throws(ProgramProblem) -> Int32 {
        // Foundation ends the process if it finds no descriptor for a child process.
        if let problem = ProcessLimits.problem(transfers: ListPrefetch.transferLimit) {
            throw ProgramProblem(problem)
        }
        let terminal = TerminalSettings(
            graphics: settings[.graphics].method, cell: settings.cell, mouse: settings[.mouse], theme: settings.theme)
        return await run(
            on: try TerminalDevice.open(
                terminal, settings.environment, for: "the browser", alternative: "alcedo prefetch"))
    }

    /// Runs on an open screen.
    func run(on screen: any Screen) async -> Int32 {
        showFirstFrame(on: screen)
        let library = await Self.openServices(settings)
        settings[.sandbox].onMissingProtection { [inbox = loop.inbox] in inbox.post(.warning($0)) }
        let runner = EffectRunner(
            library: library, settings: settings, listLoader: listLoader, inbox: loop.inbox, presenter: presenter,
            screen: screen)
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
        if let entry = screen.capabilities.substituteEntry {
            let text = "the terminal database has no entry for TERM: that of \(entry) is used"
            log?.append(LogLine(severity: .info, text: text))
        }
        let browserLog = BrowserLog { [listLoader] in Redaction.display(listLoader.location($0) ?? "") }
        let observe: @MainActor (BrowseMessage) -> Void = { message in
            runner.context.statuses.didRead(message)
            browserLog.line(for: message).map { log?.append($0) }
        }
        let code = await loop.run(on: screen, observe: observe) { effect in
            if case .quit(let code) = runner.run(effect) { loop.quit(code) }
        } pictures: { frame in
            presenter.adopt(screen.capabilities, blockSet: settings[.graphics].blockSet)
            let cell = screen.capabilities.cell
            placeholders.paint(&frame, cell: cell)
            let largest = presenter.largestPicture
            let kept = screen.capabilities.sixelQuirks.keptPictures
            if let largest { frame.pictures = strips.merge(frame, cell: cell, largest: largest, kept: kept) }
            let rows = largest.map { PictureStrips.rows(of: screen.size.columns, $0, kept: kept) }
            if loop.state.mostThumbnailRows != rows { loop.inbox.post(.thumbnailRows(rows)) }
            let facts = screen.capabilities.helpFacts
            if loop.state.terminalFacts != facts { loop.inbox.post(.terminalKnown(facts)) }
            return presenter.pictures(
                for: frame.pictures, isBusy: screen.isBusy, acknowledgementTime: screen.acknowledgementTime)
        }
        sessionFile?.store(listLoader.session(of: loop.state))
        await runner.stop()
        await library.close()
        log?.append(LogLine(severity: .info, text: "left with status \(code)"))
        await log?.close()
        return code
    }

    /// The locations of the marked items, or else of the selected one; for `--select`.
    package var selectedLocations: [String] {
        let state = loop.state
        let chosen = state.marked.isEmpty ? state.selected.map { [$0] } ?? [] : state.marked
        return chosen.compactMap { listLoader.location($0) }
    }

    /// The number of unusable lines in the lists read so far.
    package var skippedLines: Int { loop.state.skippedLines ?? 0 }

    /// The number of parts left out of usable lines in the lists read so far.
    package var omittedParts: Int { listLoader.omissionCount }

    /// Lends the screen to the cache screen until that is closed.
    private func openCache(of library: ImageServices, _ settings: BrowserSettings, _ screen: any Screen) async {
        guard let disk = library.cache.disk else { return loop.inbox.post(.notice("the disk cache is off")) }
        let program = CacheProgram(
            cache: library.cache, hasList: true, isASCII: settings.isASCII, theme: settings.theme,
            sandbox: settings[.sandbox], environment: settings.environment)
        await loop.lend(screen) { await program.run(on: screen, events: $0) }
        await postRemovals(from: disk)
        guard !program.opened.isEmpty else { return }
        let chosen = await listLoader.item(of: program.opened)
        let advice = program.openedAddresses.isEmpty ? "" : ": alcedo cache can open it"
        loop.inbox.post(chosen.map { .chosen($0) } ?? .notice("this list does not contain it\(advice)"))
    }

    /// Reports the items that are no longer on disk.
    private func postRemovals(from disk: DiskStorage) async {
        let onDisk: [(item: ItemID, key: CacheEntryKey)] = loop.state.itemsOnDisk.compactMap { item in
            guard case .network(let resource) = listLoader.source(item) else { return nil }
            return (item, CacheEntryKey(source: resource.cacheKey))
        }
        let areCached = await disk.areCached(onDisk.map(\.key))
        // An index that cannot be read has no entries.
        guard disk.availability == .available else { return }
        let removed = zip(onDisk, areCached).filter { !$1 }.map(\.0.item)
        if !removed.isEmpty { loop.inbox.post(.removedFromCaches(removed)) }
    }

    /// Reads the settings again and applies those that can change at run time; after an error nothing changes.
    private func reload(_ runner: EffectRunner, _ screen: any Screen) async {
        guard let rereading else { return loop.inbox.post(.notice("nothing to reload")) }
        let new: BrowserSettings
        do { new = try await rereading() } catch { return loop.inbox.post(.notice("\(error)")) }
        screen.setTheme(new.theme)
        presenter.transition = new.display.transition.effect
        placeholders.use(
            placeholder: new.effectivePlaceholder, indicator: new.indicator.indicator, isASCII: new.isASCII)
        let waiting = new.needingRestart(since: runner.settings)
        runner.adopt(new)
        let options = BrowseOptions(new, hold: presenter.addForFailures)
        loop.inbox.post(.optionsChanged(options))
        let rest = waiting.isEmpty ? "" : "; \(waiting.joined(separator: ", ")) after a restart"
        loop.inbox.post(.notice("configuration reloaded\(rest)"))
        // The next frame is drawn after these messages, so it no longer shows the old picture.
        if case .picture(let old) = loop.state.options.slot.failure { presenter.release(old.picture) }
    }

    /// Draws the empty browser before the caches are open and the list is read.
    private func showFirstFrame(on screen: any Screen) {
        var empty = loop.state
        _ = empty.update(.resized(screen.size, screen.capabilities.cell))
        screen.present(empty.frame, pictures: [])
    }

    @concurrent
    private static func openServices(_ settings: BrowserSettings) async -> ImageServices {
        PictureMemory.returnEarly()
        return ImageServices(settings: settings.library)
    }
}
