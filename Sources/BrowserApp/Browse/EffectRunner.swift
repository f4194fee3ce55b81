import BrowserCore
import ImageLoading
import Raster
import Retrying
import TerminalGraphics

/// Does what the browser's update wants done; the only switch over its effects.
@MainActor
final class EffectRunner {
    enum Outcome: Equatable { case goOn, quit(Int32) }

    private let library: Library
    /// Reads the config file again.
    var onReload: () async -> Void = {}
    /// Shows the cache's own screen, and comes back when it ends.
    var onOpenCache: () async -> Void = {}
    private(set) var settings: BrowserSettings
    /// Between source and preview.
    private var processor: any ImageProcessor
    private var processorText: String
    private let feed: BrowserFeed
    private let inbox: Inbox<BrowseMessage>
    private let presenter: PicturePresenter
    private let screen: any Screen
    private let clock: any Clock<Duration>
    private let prefetcher: ImagePrefetcher
    private let statuses: StatusReporter
    private var loads: [RequestID: Load] = [:]
    /// What of them nobody looks at any more, for a moment.
    private var departing: [RequestID: Task<Void, Never>] = [:]
    /// Those of them whose items the prefetcher goes on with.
    private var handedOver: Set<RequestID> = []
    /// The item that was chosen last.
    private var chosen: ItemID?
    /// Runs until a choice has stood for a moment.
    private var standing: Task<Void, Never>?
    /// The encoding of a chosen picture that was begun last.
    private var encoding: Task<Void, Never>?
    private var background: [Task<Void, Never>] = []
    private var usageReport: Task<Void, Never>?
    private var neighbours: NeighbourPreparation?
    private var thumbnails: ThumbnailLoading?
    /// Items that the user cancelled or removed, and did not ask for since.
    private var givenUp: Set<ItemID> = []
    private var transfers = RecentTransfers()
    private var isLowData = false
    private var description: Task<Void, Never>?

    init(
        library: Library, settings: BrowserSettings, feed: BrowserFeed, inbox: Inbox<BrowseMessage>,
        presenter: PicturePresenter, screen: any Screen, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.library = library
        self.settings = settings
        (processor, processorText) = (settings.processor, settings.processorText)
        self.feed = feed
        self.inbox = inbox
        self.presenter = presenter
        self.screen = screen
        self.clock = clock
        statuses = StatusReporter(inbox: inbox, attempts: library.attempts)
        prefetcher = ImagePrefetcher(
            pipeline: library.pipeline, options: Self.prefetching(library), maxConcurrentDownloads: 8, maxPerHost: 5,
            backlogLimit: 4096)
    }

    /// Begins to read the lists, to hear the prefetcher, and to clear away what killed processes left in the cache.
    func start() {
        background.append(Task { await feed.read() })
        background.append(Task { await hearPrefetcher() })
        background.append(Task { await hearHosts() })
        background.append(Task(priority: .background) { await library.cache.disk?.sweep() })
        neighbours = NeighbourPreparation { [weak self] in await self?.prepare($0, box: $1) }
        thumbnails = ThumbnailLoading { [weak self] in await self?.loadThumbnail($0, box: $1) ?? false }
        presenter.onAdoption = { [weak self] in self?.neighbours?.repeatLast() }
        reportUsage()
    }

    /// Ends everything that runs.
    func stop() async {
        await prefetcher.stop()
        for task in background + loads.values.map(\.task) + departing.values { task.cancel() }
        usageReport?.cancel()
        standing?.cancel()
        neighbours?.stop()
        thumbnails?.stop()
    }

    @discardableResult
    func run(_ effect: BrowseEffect) -> Outcome {
        switch effect {
        case .load(let id, let item, let box, let region, let reload):
            load(id, item, box: box, region: region, reload: reload)
        case .cancelLoad(let id): leave(id)
        case .thumbnails(let items, let box): thumbnails?.begin(items, box: box)
        case .prepare(let items, let box): neighbours?.begin(items, box: box)
        case .prefetch(let items): tellPrefetcher(of: items) { await $0.replaceBacklog(with: $1) }
        case .setPrefetchPaused(let isPaused):
            tellPrefetcher { prefetcher, _ in
                await isPaused ? prefetcher.pause() : prefetcher.resume()
            }
        case .cancelItem(let item):
            givenUp.insert(item)
            tellPrefetcher { prefetcher, _ in await prefetcher.cancel(item.rawValue) }
        case .retryItem(let item):
            tellPrefetcher(of: [item]) { prefetcher, retried in
                for item in retried { await prefetcher.add(item) }
            }
        case .releasePicture(let picture): presenter.release(picture)
        case .setProcessor(let chain): setProcessor(chain)
        case .setTransition(let name):
            TransitionName(rawValue: name).map { presenter.transition = Transition($0.effect) }
        case .removeFromCache(let items): remove(items)
        case .setLowData(let isOn): isLowData = isOn
        case .describe(let item): describe(item)
        case .openCache: background.append(Task { await onOpenCache() })
        case .copyAddresses(let items):
            screen.copy(items.compactMap { feed.location($0) }.joined(separator: "\n"))
        case .listPaths(let beginning):
            background.append(
                Task { inbox.post(.paths(beginning: beginning, await PathCompletion.paths(beginning: beginning))) })
        case .openExternally(let item): errands.open(item).map { inbox.post(.notice($0)) }
        case .export(let items, let path): export(items, to: path)
        case .reloadConfiguration: background.append(Task { await onReload() })
        case .redraw: screen.invalidate()
        case .suspend: screen.suspend()
        case .quit: return .quit(0)
        case .abort: return .quit(130)
        }
        return .goOn
    }

    private var prefetcherOrders: Task<Void, Never>?

    /// Orders reach the prefetcher one after the other, as they were given.
    private func tellPrefetcher(
        of ids: [ItemID] = [], _ order: @escaping @MainActor (ImagePrefetcher, [PrefetchItem]) async -> Void
    ) {
        let previous = prefetcherOrders
        prefetcherOrders = Task { [prefetcher] in
            await previous?.value
            var options = Self.prefetching(library)
            options.download.isNetworkConstrained = isLowData
            await order(prefetcher, feed.items(ids, options: options))
        }
    }

    private static func prefetching(_ library: Library) -> ImageOptions {
        var options = library.options()
        options.download.priority = 0.25
        return options
    }
}

// MARK: - The selected picture

extension EffectRunner {
    /// A load that the slot waits for.
    private struct Order {
        let id: RequestID
        let item: ItemID
        let source: Source
        let box: PixelSize
        let region: PictureRegion?
        let start = MonotonicTime.now()
    }

    /// A load as it runs.
    private struct Load {
        let task: Task<Void, Never>
        let item: ItemID
        /// Whether bytes of it have come.
        var isTransferring = false
    }

    private func load(_ id: RequestID, _ item: ItemID, box: PixelSize, region: PictureRegion?, reload: Bool) {
        givenUp.remove(item)
        guard let source = feed.source(item) else {
            return inbox.post(
                .slotFailed(id, FailureFacts(title: "no source", detail: "The item is gone.", attempts: 0)))
        }
        let order = Order(id: id, item: item, source: source, box: box, region: region)
        let isPassing = isPassing(to: item)
        if region != nil { return begin(order) { await $0.performZoomed(order) } }
        if !reload, let image = remembered(order) { return show(image, to: order, isPassing: isPassing) }
        var options = options(item, box, priority: 1)
        options.cache.forceRefresh = reload
        options.process.progressiveJPEG = ImageProgressive(scanInterval: .milliseconds(200))
        options.delivery.callbackQueue = .main
        begin(order, whenItStands: isPassing) { await $0.perform(order, options) }
    }

    /// So long a choice stands before it counts as more than a row that is passed on the way: longer than between the
    /// repeats of a key that is held.
    private static let stand = Duration.milliseconds(60)

    /// Whether this choice follows another one so fast that the next is to be expected.
    ///
    /// Decoding what is only passed would take the processors away from the keys.
    private func isPassing(to item: ItemID) -> Bool {
        guard item != chosen else { return false }
        let isPassing = standing != nil
        chosen = item
        standing?.cancel()
        standing = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.stand)) != nil else { return }
            self?.standing = nil
        }
        return isPassing
    }

    private func begin(
        _ order: Order, whenItStands: Bool = false, _ work: @escaping @MainActor (EffectRunner) async -> Void
    ) {
        let standing = whenItStands ? standing : nil
        let task = Task {
            await standing?.value
            if standing == nil || !Task.isCancelled { await work(self) }
            loads[order.id] = nil
            handedOver.remove(order.id)
        }
        loads[order.id] = Load(task: task, item: order.item)
    }

    /// How long a load goes on that nobody looks at any more, so that others can join its transfer: the same picture in
    /// another size, or the prefetcher.
    private static let handover = Duration.milliseconds(300)

    /// Gives up a load; one whose bytes are coming is left to others.
    private func leave(_ id: RequestID) {
        guard let load = loads.removeValue(forKey: id) else { return }
        guard load.isTransferring, !isLowData, !givenUp.contains(load.item) else { return load.task.cancel() }
        departing[id] = Task {
            if settings.prefetches, !givenUp.contains(load.item), await isTakenOver(load.item) { handedOver.insert(id) }
            try? await clock.sleep(for: Self.handover)
            load.task.cancel()
            departing[id] = nil
        }
    }

    private func isTakenOver(_ item: ItemID) async -> Bool {
        guard let item = feed.items([item], options: Self.prefetching(library)).first else { return false }
        return await prefetcher.takeOver(item)
    }

    /// Shows what the memory holds: in this very frame when it is encoded too.
    private func show(_ image: Image, to order: Order, isPassing: Bool) {
        let picture = hold(image, order)
        guard !presenter.isReady(picture) else { return deliver(image, picture, from: .memory, to: order) }
        begin(order, whenItStands: isPassing) { runner in
            await runner.encode(picture, for: order)
            runner.deliver(image, picture, from: .memory, to: order)
        }
    }

    /// What an item passes through: what its list says, then what is chosen for all.
    private func chain(of item: ItemID) -> any ImageProcessor {
        let own = feed.process(of: item).flatMap { try? ProcessorGrammar.parse($0) }
        return own.map { $0 |> processor } ?? processor
    }

    private func chainText(of item: ItemID) -> String {
        [feed.process(of: item) ?? "", processorText].filter { !$0.isEmpty }.joined(separator: " |> ")
    }

    private func options(_ item: ItemID, _ box: PixelSize, priority: Double) -> ImageOptions {
        var options = library.options(processor: chain(of: item) |> DownsamplingImageProcessor(size: box))
        options.download.priority = priority
        options.download.isNetworkConstrained = isLowData
        return feed.options(options, for: item)
    }

    /// A part of the picture from the original's pixels, which stay in memory for the next part.
    private func performZoomed(_ order: Order) async {
        guard let region = order.region else { return }
        do throws(ImageError) {
            var options = feed.options(library.options(processor: chain(of: order.item)), for: order.item)
            options.process.animation.onlyFirstFrame = true
            let result = try await library.pipeline.image(for: order.source, options: options)
            guard loads[order.id] != nil else { return }
            let image = try await region.part(of: result.image, within: order.box)
            let picture = hold(image, order)
            await encode(picture, for: order)
            deliver(image, picture, from: PictureOrigin(result.cacheType, source: order.source), to: order)
        } catch {
            await fail(order.id, order.item, source: order.source, error: error)
        }
    }

    /// What the memory holds, at once: it then stands in the very frame that shows the choice.
    private func remembered(_ order: Order) -> Image? {
        let chain = chain(of: order.item) |> DownsamplingImageProcessor(size: order.box)
        let image = library.cache.retrieveImageInMemoryCache(
            forKey: order.source.cacheKey, processorIdentifier: chain.identifier)
        return image.flatMap { $0.frameCount == 1 || $0.animation != nil ? $0 : nil }
    }

    /// Decodes and encodes a picture that may be chosen next; of the network only what is here already.
    private func prepare(_ item: ItemID, box: PixelSize) async {
        guard let source = feed.source(item) else { return }
        var options = options(item, box, priority: 0.25)
        if case .network = source { options.cache.onlyFromCache = true }
        guard let image = try? await library.pipeline.image(for: source, options: options).image, !Task.isCancelled
        else { return }
        await presenter.prepare(HeldPicture(image, of: source, processor: chain(of: item), within: box))
    }

    /// A small picture for the grid; of what moves the first frame.
    private func loadThumbnail(_ item: ItemID, box: PixelSize) async -> Bool {
        guard let source = feed.source(item) else { return false }
        var options = options(item, box, priority: 0.75)
        options.process.animation.onlyFirstFrame = true
        let order = Order(id: RequestID(0), item: item, source: source, box: box, region: nil)
        do throws(ImageError) {
            let image = try await library.pipeline.image(for: source, options: options).image
            guard !Task.isCancelled else { return false }
            inbox.post(.thumbnail(item, box: box, facts(of: image, hold(image, order), from: .memory, order)))
            statuses.end(item, .inMemory(bytes: image.byteCount))
            return true
        } catch {
            if !error.isTaskCancelled { statuses.end(item, .failed(reason: error.title)) }
            return false
        }
    }

    private func perform(_ order: Order, _ options: ImageOptions) async {
        do throws(ImageError) {
            let result = try await library.pipeline.image(for: order.source, options: options) { event in
                MainActor.assumeIsolated { self.hear(event, of: order) }
            }
            result.metrics.map { transfers.note($0, of: order.item) }
            let picture = hold(result.image, order)
            await encode(picture, for: order)
            deliver(result.image, picture, from: PictureOrigin(result.cacheType, source: order.source), to: order)
        } catch {
            await fail(order.id, order.item, source: order.source, error: error)
        }
        reportUsage()
    }

    private func hear(_ event: LoadEvent, of order: Order) {
        switch event {
        case .progress(let progress):
            loads[order.id]?.isTransferring = true
            inbox.post(.slotProgress(order.id, received: progress.received, total: progress.total))
        case .partial(let image): hear(partial: image, of: order)
        case .started, .received, .retrying, .parked: break
        }
        statuses.report(order.item, event)
    }

    private func hear(partial image: Image, of order: Order) {
        let picture = hold(image, order, isPartial: true)
        Task {
            await encode(picture, for: order)
            inbox.post(.slotPartial(order.id, facts(of: image, picture, from: .network, order)))
        }
    }

    private func deliver(_ image: Image, _ picture: HeldPicture, from origin: PictureOrigin, to order: Order) {
        inbox.post(.slotPicture(order.id, facts(of: image, picture, from: origin, order)))
        statuses.end(order.item, .inMemory(bytes: image.byteCount))
    }

    /// Has a picture encoded before it is told of, so that its place is never empty between the old one and the new.
    ///
    /// One after the other: those that nobody waits for any more when their turn comes are left out.
    private func encode(_ picture: HeldPicture, for order: Order) async {
        let previous = encoding
        let work = Task {
            await previous?.value
            if loads[order.id] != nil { await presenter.prepare(picture) }
        }
        encoding = work
        await work.value
    }

    private func hold(_ image: Image, _ order: Order, isPartial: Bool = false) -> HeldPicture {
        HeldPicture(
            image, of: order.source, processor: chain(of: order.item), within: order.box, isPartial: isPartial)
    }

    /// What the screen needs to know of a picture, which the presenter holds from here on.
    private func facts(
        of image: Image, _ picture: HeldPicture, from origin: PictureOrigin, _ order: Order
    ) -> PictureFacts {
        PictureFacts(
            picture: presenter.add(picture), size: image.size, originalSize: image.originalSize,
            format: image.format.rawValue, bytes: image.byteCount, frames: image.frameCount,
            frameInterval: picture.playback?.frameInterval, frameDelay: picture.playback?.frameDelay,
            playLength: picture.playback?.length, origin: origin,
            milliseconds: (MonotonicTime.now() - order.start).milliseconds, processor: chainText(of: order.item))
    }

    private func fail(_ id: RequestID, _ item: ItemID, source: Source, error: ImageError) async {
        guard !error.isTaskCancelled else { return await settle(id, item, source: source) }
        let attempts = error.isRetryable ? library.attempts : 1
        inbox.post(.slotFailed(id, FailureFacts(error, of: source, attempts: attempts)))
        statuses.end(item, .failed(reason: error.title))
    }

    /// A load that nobody waits for any more leaves the item as the caches have it, or to the prefetcher.
    private func settle(_ id: RequestID, _ item: ItemID, source: Source) async {
        // Whoever goes on with it tells how it stands.
        guard !handedOver.contains(id), !loads.values.contains(where: { $0.item == item }) else { return }
        // This task was cancelled, and the index would not answer it.
        let standing = await Task { await library.standing(of: source) }.value
        statuses.end(item, standing)
        guard standing == .waiting, settings.prefetches, !givenUp.contains(item) else { return }
        run(.retryItem(item))
    }
}

// MARK: - What the user asks for

extension EffectRunner {
    private var errands: ItemErrands { ItemErrands(library: library, feed: feed, opener: settings.opener) }

    /// Takes other settings; the chain of processors comes as an effect of its own.
    func adopt(_ new: BrowserSettings) { settings = new }

    /// A chain that cannot be read changes nothing.
    private func setProcessor(_ chain: String) {
        do throws(ProcessorGrammar.Problem) {
            processor = try chain.isEmpty ? DefaultImageProcessor() : ProcessorGrammar.parse(chain)
            processorText = chain
            neighbours?.repeatLast()
        } catch {
            inbox.post(.processorRefused("\(error)", inForce: processorText))
        }
    }

    private func describe(_ item: ItemID) {
        description?.cancel()
        description = Task {
            let lines = await errands.describe(item, transfer: transfers[item])
            if !Task.isCancelled { inbox.post(.described(item, lines)) }
        }
    }

    private func remove(_ items: [ItemID]) {
        givenUp.formUnion(items)
        background.append(
            Task { [errands, inbox, statuses] in
                let removed = await errands.removeFromCache(items)
                for item in removed { statuses.end(item, .waiting) }
                inbox.post(.notice(errands.outcome(ofRemoving: items, removed)))
                reportUsage()
            })
    }

    private func export(_ items: [ItemID], to path: String) {
        inbox.post(.notice("exporting…"))
        background.append(
            Task { [errands, inbox] in
                inbox.post(.notice(await errands.export(items, path: path) { self.chain(of: $0) }))
            })
    }
}

// MARK: - The rest of the list

extension EffectRunner {
    private func hearPrefetcher() async {
        for await event in prefetcher.events {
            statuses.report(event)
            if case .finished(let id, let result) = event {
                result.metrics.map { transfers.note($0, of: ItemID(id)) }
                reportUsage()
            }
        }
    }

    private func hearHosts() async {
        let hosts = library.pipeline.hosts
        for await _ in hosts.events() { inbox.post(.hostsChanged(hosts.troubledHosts().map(HostStatus.init))) }
    }

    /// Tells what the caches hold, at most three times a second.
    private func reportUsage() {
        guard usageReport == nil else { return }
        usageReport = Task {
            guard (try? await clock.sleep(for: .milliseconds(330))) != nil else { return }
            let memory = library.cache.memory
            let disk = library.cache.disk
            let space = try? await disk?.totalSpace()
            inbox.post(
                .usageChanged(
                    CacheUsage(
                        memoryBytes: memory.totalCost, memoryLimit: memory.totalCostLimit,
                        diskBytes: space ?? 0, diskLimit: disk?.configuration.sizeLimit ?? 0)))
            usageReport = nil
        }
    }
}
