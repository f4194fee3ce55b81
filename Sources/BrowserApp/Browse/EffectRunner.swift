import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import ImageLoading
import Retrying
import TerminalGraphics

/// Performs the effects of the browser's update; it has the only switch over them.
@MainActor
final class EffectRunner {
    enum Outcome: Equatable { case proceed, quit(Int32) }

    /// Reads the config file again.
    var onReload: () async -> Void = {}
    /// Tells how an export, a command or a change of files went; the list may be another one by then.
    var onOutcome: @MainActor @Sendable (BrowseMessage) -> Void
    /// Shows another folder's list.
    var onVisit: (FolderVisit) -> Void = { _ in }
    /// Shows the cache screen and returns when it is closed.
    var onOpenCache: () async -> Void = {}
    private(set) var settings: BrowserSettings
    let context: BrowserContext
    let presenter: PicturePresenter
    let screen: any Screen
    let prefetch: ListPrefetch
    private let pictures: PictureLoading
    private let comparisons: ComparisonLoading
    let neighbours: NeighbourPreparation
    let thumbnails: ThumbnailLoading
    private var background: [Task<Void, Never>] = []
    var description: Task<Void, Never>?
    /// Grows when what is being read about captures is not wanted any more.
    var captureRound = 0
    let files: FileHistory
    let folders: RememberedFolders
    private let places: RememberedFolders
    /// The folder that is listed; nil for other lists.
    let place: String?

    init(
        library: ImageServices, settings: BrowserSettings, listLoader: BrowserListLoader, inbox: Inbox<BrowseMessage>,
        presenter: PicturePresenter, screen: any Screen, files: FileHistory? = nil, place: String? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.settings, self.presenter, self.screen) = (settings, presenter, screen)
        let context = BrowserContext(
            library: library, settings: settings, listLoader: listLoader, inbox: inbox, clock: clock)
        let prefetch = ListPrefetch(context, isOn: settings[.prefetches])
        let pictures = PictureLoading(context, presenter: presenter, prefetch: prefetch)
        comparisons = ComparisonLoading(context, presenter: presenter)
        neighbours = NeighbourPreparation { await pictures.prepare($0, box: $1) }
        thumbnails = ThumbnailLoading {
            defer { inbox.wake() }
            return await pictures.previewThumbnail($0, box: $1)
        } load: {
            await pictures.loadThumbnail($0, box: $1)
        }
        (self.context, self.prefetch, self.pictures) = (context, prefetch, pictures)
        onOutcome = { inbox.post($0) }
        folders = RememberedFolders("folders", settings, keepsPlaces: true)
        places = RememberedFolders("places", settings)
        self.place = place
        self.files =
            files ?? FileHistory(home: ExportBatch.withHome("~"), dataHome: settings.environment["XDG_DATA_HOME"])
    }

    /// Starts to read the lists and to observe the prefetcher, and removes what killed processes left in the cache.
    func start() {
        context.inbox.post(running)
        let (pipeline, options) = (context.library.pipeline, context.library.options())
        background.append(
            Task { [listLoader = context.listLoader] in
                await listLoader.read { url throws(ImageError) in
                    try await pipeline.document(at: url, options: options)
                }
            })
        background.append(Task { await prefetch.observe() })
        if let place { background.append(Task { await places.add(place) }) }
        background.append(Task { await observeHosts() })
        background.append(Task(priority: .background) { await context.library.cache.disk?.sweep(isDaily: true) })
        presenter.onOutputChange = { [weak self] in self?.neighbours.repeatLast() }
        context.usage.scheduleReport()
    }

    /// Stops everything that runs, but exports, commands and changes of files, which go on.
    func stop() async {
        await prefetch.stop()
        background.forEach { $0.cancel() }
        pictures.stop()
        comparisons.end()
        context.usage.stop()
        neighbours.stop()
        thumbnails.stop()
    }

    @discardableResult
    func run(_ effect: BrowseEffect) -> Outcome {
        switch effect {
        case .load(let id, let item, let box, let region, let reload):
            pictures.load(id, item, box: box, region: region, reload: reload)
        case .compare(let id, let comparison, let box, let region):
            comparisons.begin(id, comparison, box: box, region: region)
        case .forgetComparison: comparisons.end()
        case .cancelLoad(let id):
            comparisons.cancel(id)
            pictures.abandon(id)
        case .inspect(let items): background.append(Task { await prefetch.inspect(items) })
        case .thumbnails(let items, let box, let visible):
            pictures.visibleThumbnails = visible
            thumbnails.begin(items, box: box, visible: visible)
        case .prepare(let items, let box): neighbours.begin(items, box: box)
        case .countFolders(let items): background.append(Task { await count(items) })
        case .visit(let visit): onVisit(visit)
        case .prefetch(let items): prefetch.replaceBacklog(with: items)
        case .setPrefetchPaused(let isPaused): prefetch.setPaused(isPaused)
        case .cancelItem(let item): prefetch.cancel(item)
        case .retryItem(let item): prefetch.add(item)
        case .releasePicture(let picture): presenter.release(picture)
        case .setProcessor(let chain): setProcessor(chain)
        case .setPage(let item, let page): context.choices.pages[item] = page
        case .setTurn(let item, let turn): context.choices.turns[item] = turn == .upright ? nil : turn
        case .setTransition(let name):
            Transition(rawValue: name).map { presenter.transition = $0 }
        case .removeFromCache(let items): background.append(Task { await removeFromCache(items) })
        case .setLowData(let isOn): context.choices.isLowData = isOn
        case .describe(let item, let picture): describe(item, picture)
        case .openCache: background.append(Task { await onOpenCache() })
        case .copyAddresses(let items):
            screen.copy(items.compactMap { context.listLoader.location($0) }.joined(separator: "\n"))
        case .listPaths(let beginning): background.append(Task { await listPaths(beginning) })
        case .inspectPath(let path): background.append(Task { await inspect(at: path) })
        case .probeHost(let host): probe(host)
        case .readDates(let items): background.append(Task { await readDates(of: items) })
        case .readCaptures(let items): background.append(Task { await readCaptures(of: items) })
        case .runCommand(let text, let items): Task { await runCommand(text, on: items) }
        case .changeFiles(let change, let items, let answers): changeFiles { await self.change(change, items, answers) }
        case .holdFiles(let items): hold(items)
        case .putFiles(let areMoved): background.append(Task { await putFiles(areMoved: areMoved) })
        case .planFiles(let operation, let items): background.append(Task { await plan(operation, items) })
        case .editNames(let items, let names): editNames(of: items, names)
        case .stopFiles: files.stopRunning()
        case .readPlaces: background.append(Task { await postPlaces() })
        case .pinPlace(let path): background.append(Task { await pin(path) })
        case .readFolders: background.append(Task { context.inbox.post(.files(.foldersKnown(await folders.read()))) })
        case .undoFiles: changeFiles { await self.undoFiles() }
        case .openExternally(let item): background.append(Task { await open(item) })
        case .export(let items, let path, let answers): Task { await export(items, to: path, answers) }
        case .reloadConfiguration: background.append(Task { await onReload() })
        case .redraw: screen.invalidate()
        case .suspend: screen.suspend()
        case .quit: return .quit(0)
        case .abort: return .quit(130)
        }
        return .proceed
    }

    /// Applies new settings; the processor chain arrives as an effect of its own.
    func adopt(_ new: BrowserSettings) {
        settings = new
        prefetch.isOn = new[.prefetches]
    }

    /// Begins an operation on files; its list is told that it runs and that it ended, and the list that is shown then.
    private func changeFiles(_ operation: @escaping @MainActor () async -> Void) {
        files.countRunning(1)
        context.inbox.post(running)
        Task {
            await operation()
            files.countRunning(-1)
            context.inbox.post(running)
            onOutcome(running)
        }
    }

    /// Whether files are changed, also on behalf of the list that was shown before.
    private var running: BrowseMessage {
        .files(.changing(files.countRunning() > 0 ? "files are changed" : nil, isLong: false))
    }

    private func pin(_ path: String) async {
        await places.pin(path)
        await postPlaces()
    }

    /// Posts the folders that were listed before this one.
    private func postPlaces() async {
        context.inbox.post(.placesKnown(await places.read().filter { $0.path != place }))
    }

    private func observeHosts() async {
        let hosts = context.library.pipeline.hosts
        for await _ in hosts.events() { postHosts() }
    }

    private func postHosts() {
        context.inbox.post(.hostsChanged(context.library.pipeline.hosts.troubledHosts().map(HostStatus.init)))
    }

    /// Sends one request to test a host at once.
    private func probe(_ host: String) {
        context.library.pipeline.hosts.probe(host)
        postHosts()
    }
}
