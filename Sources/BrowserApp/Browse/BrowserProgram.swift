import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import AlcedoTerminal
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

/// The browser program.
@MainActor
public final class BrowserProgram {
    private var settings: BrowserSettings
    private let rereading: Rereading?
    private let presenter: PicturePresenter
    private let placeholders: PlaceholderPainter
    private let strips: PictureStrips
    /// The list that is shown.
    private var visit: BrowserVisit
    private var hasToldRemedy = false

    /// Creates the settings again from the config file; throws the reason if that fails.
    package typealias Rereading = @MainActor () async throws -> BrowserSettings

    /// Creates a browser without a config file.
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
        visit = BrowserVisit(settings, options: options)
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
            graphics: settings[.graphics], cell: settings.cell, mouse: settings[.mouse], theme: settings.theme)
        return await run(
            on: try TerminalDevice.open(
                terminal, settings.environment, for: "the browser", alternative: "alcedo prefetch"))
    }

    /// Runs on an open screen.
    func run(on screen: any Screen) async -> Int32 {
        showFirstFrame(on: screen)
        let library = await Self.openServices(settings)
        let log = settings.logPath.map { LogFile(path: $0) }
        log?.append(LogLine(severity: .info, text: "browsing \(Redaction.display(settings.title))"))
        if let entry = screen.capabilities.substituteEntry {
            let text = "the terminal database has no entry for TERM: that of \(entry) is used"
            log?.append(LogLine(severity: .info, text: text))
        }
        settings[.sandbox].onMissingProtection { [inbox = visit.loop.inbox] in inbox.post(.warning($0)) }
        if let problem = library.diskProblem { visit.loop.inbox.post(.notice(problem.description)) }
        let notices = Task { [weak self] in
            for await text in library.diskNotices() { self?.visit.loop.inbox.post(.notice(text)) }
        }
        let forwarding = Task { [weak self] in
            for await event in screen.events { self?.visit.events.yield(event) }
        }
        let files = FileHistory(home: ExportBatch.withHome("~"), dataHome: settings.environment["XDG_DATA_HOME"])
        var code: Int32
        var shown: BrowserVisit
        repeat {
            shown = visit
            code = await run(shown, on: screen, library, files, log)
            if shown === visit { shown.storeSession() }
            // Keys that were typed after the one that left the list are meant for the next.
            if shown !== visit { shown.loop.unread.forEach(visit.loop.inbox.post) }
            // A signal that came with the change of folders ends the program.
        } while shown !== visit && code == 0
        screen.close()
        forwarding.cancel()
        notices.cancel()
        await files.stop()
        await library.close()
        log?.append(LogLine(severity: .info, text: "left with status \(code)"))
        await log?.close()
        return code
    }

    /// Shows one list until the user quits or goes to another one, which is ``visit`` then.
    private func run(
        _ shown: BrowserVisit, on screen: any Screen, _ library: ImageServices, _ files: FileHistory, _ log: LogFile?
    ) async -> Int32 {
        let (loop, listLoader) = (shown.loop, shown.listLoader)
        let runner = EffectRunner(
            library: library, settings: settings, listLoader: listLoader, inbox: loop.inbox, presenter: presenter,
            screen: screen, files: files, place: shown.folder)
        presenter.onReady = { [inbox = loop.inbox] in inbox.wake() }
        runner.onReload = { [weak self, weak runner] in
            if let runner { await self?.reload(runner, screen) }
        }
        runner.onOpenCache = { [weak self, weak runner] in
            if let runner { await self?.openCache(of: library, runner.settings, screen) }
        }
        runner.onOutcome = { [weak self] in self?.visit.loop.inbox.post($0) }
        runner.onVisit = { [weak self] in self?.leave(shown, for: $0) }
        runner.start()
        resume(loop.state, runner)
        let browserLog = BrowserLog { [listLoader] in Redaction.display(listLoader.location($0) ?? "") }
        let observe: @MainActor (BrowseMessage) -> Void = { message in
            runner.context.statuses.didRead(message)
            browserLog.line(for: message).map { log?.append($0) }
        }
        let code = await loop.run(on: screen, events: shown.events, observe: observe) { effect in
            if case .quit(let code) = runner.run(effect) { loop.quit(code) }
        } expectsPictures: {
            runner.thumbnails.isQuick
        } pictures: { frame in
            presenter.adopt(screen.capabilities)
            let cell = screen.capabilities.cell
            placeholders.paint(&frame, cell: cell)
            let largest = presenter.largestPicture
            let quirks = screen.capabilities.sixelQuirks
            if let largest {
                frame.pictures = strips.merge(
                    frame, cell: cell, largest: largest, kept: quirks.keptPictures, showsText: quirks.showsTextInHoles)
            }
            let rows = largest.map { PictureStrips.rows(of: screen.size.columns, $0, kept: quirks.keptPictures) }
            if loop.state.mostThumbnailRows != rows || loop.state.showsTextInRows != quirks.showsTextInHoles {
                loop.inbox.post(.thumbnailRows(rows, showsText: quirks.showsTextInHoles))
            }
            let facts = screen.capabilities.helpFacts
            if loop.state.terminalFacts != facts { loop.inbox.post(.terminalKnown(facts)) }
            tellRemedy(screen.capabilities.graphics)
            return strips.shown(
                of: presenter.pictures(
                    for: frame.pictures, isBusy: screen.isBusy, acknowledgementTime: screen.acknowledgementTime))
        }
        await runner.stop()
        let failure: PictureID? =
            if case .picture(let picture) = loop.state.options.slot.failure { picture.picture } else { nil }
        presenter.releaseAll(but: failure)
        return code
    }

    /// Says once why there are blocks instead of pixels, if the user can change that.
    private func tellRemedy(_ graphics: GraphicsDecision) {
        guard !hasToldRemedy, graphics.method == .blocks, let remedy = graphics.remedy else { return }
        hasToldRemedy = true
        visit.loop.inbox.post(.notice("blocks, not pixels: \(remedy); ? says more"))
    }

    /// Makes another list the one that is shown, and ends the loop of this one.
    private func leave(_ shown: BrowserVisit, for place: FolderVisit) {
        guard shown === visit, !shown.loop.isEnding else { return }
        shown.storeSession()
        guard let next = shown.next(place, settings) else { return }
        visit = next
        shown.loop.quit()
    }

    /// Applies what the user chose in the list before.
    private func resume(_ state: BrowseState, _ runner: EffectRunner) {
        if state.options.processor != settings[.process] { runner.run(.setProcessor(state.options.processor)) }
        if state.isPrefetchPaused { runner.run(.setPrefetchPaused(true)) }
        if state.isLowData { runner.run(.setLowData(true)) }
    }

    /// The locations of the marked items, or else of the selected one; for `--select`.
    package var selectedLocations: [String] {
        let (state, listLoader) = (visit.loop.state, visit.listLoader)
        let chosen = state.marked.isEmpty ? state.selected.map { [$0] } ?? [] : state.marked
        return chosen.compactMap { listLoader.location($0) }
    }

    /// The number of unusable lines in the lists read so far.
    package var skippedLines: Int { visit.loop.state.skippedLines ?? 0 }

    /// The number of parts left out of usable lines in the lists read so far.
    package var omittedParts: Int { visit.listLoader.omissionCount }

    /// Lends the screen to the cache screen until that is closed.
    private func openCache(of library: ImageServices, _ settings: BrowserSettings, _ screen: any Screen) async {
        guard let disk = library.cache.disk else { return visit.loop.inbox.post(.notice("the disk cache is off")) }
        let program = CacheProgram(
            cache: library.cache, hasList: true, isASCII: settings.isASCII, theme: settings.theme,
            sandbox: settings[.sandbox], environment: settings.environment)
        await visit.loop.lend(screen) { await program.run(on: screen, events: $0) }
        await postRemovals(from: disk)
        guard !program.opened.isEmpty else { return }
        let chosen = await visit.listLoader.item(of: program.opened)
        let advice = program.openedAddresses.isEmpty ? "" : ": alcedo cache can open it"
        visit.loop.inbox.post(chosen.map { .chosen($0) } ?? .notice("this list does not contain it\(advice)"))
    }

    /// Reports the items that are no longer on disk.
    private func postRemovals(from disk: DiskStorage) async {
        let onDisk: [(item: ItemID, key: CacheEntryKey)] = visit.loop.state.itemsOnDisk.compactMap { item in
            guard case .network(let resource) = visit.listLoader.source(item) else { return nil }
            return (item, CacheEntryKey(source: resource.cacheKey))
        }
        let areCached = await disk.areCached(onDisk.map(\.key))
        // An index that cannot be read has no entries.
        guard disk.availability == .available else { return }
        let removed = zip(onDisk, areCached).filter { !$1 }.map(\.0.item)
        if !removed.isEmpty { visit.loop.inbox.post(.removedFromCaches(removed)) }
    }

    /// Reads the settings again and applies those that can change at run time; after an error nothing changes.
    private func reload(_ runner: EffectRunner, _ screen: any Screen) async {
        guard let rereading else { return visit.loop.inbox.post(.notice("nothing to reload")) }
        let new: BrowserSettings
        do { new = try await rereading() } catch { return visit.loop.inbox.post(.notice("\(error)")) }
        screen.setTheme(new.theme)
        presenter.transition = new.display.transition.effect
        placeholders.use(
            placeholder: new.effectivePlaceholder, indicator: new.indicator.indicator, isASCII: new.isASCII)
        let waiting = new.needingRestart(since: runner.settings)
        runner.adopt(new)
        settings = new
        let options = BrowseOptions(new, hold: presenter.addForFailures)
        visit.loop.inbox.post(.optionsChanged(options))
        let rest = waiting.isEmpty ? "" : "; \(waiting.joined(separator: ", ")) after a restart"
        visit.loop.inbox.post(.notice("configuration reloaded\(rest)"))
        // The next frame is drawn after these messages, so it no longer shows the old picture.
        if case .picture(let old) = visit.loop.state.options.slot.failure { presenter.release(old.picture) }
    }

    /// Draws the empty browser before the caches are open and the list is read.
    private func showFirstFrame(on screen: any Screen) {
        var empty = visit.loop.state
        _ = empty.update(.resized(screen.size, screen.capabilities.cell))
        screen.present(empty.frame, pictures: [])
    }

    @concurrent
    private static func openServices(_ settings: BrowserSettings) async -> ImageServices {
        PictureMemory.returnEarly()
        return ImageServices(settings: settings.library)
    }
}
