import BrowserCore
import ImageLoading
import Raster
import Retrying

/// Does what the browser's update wants done; the only switch over its effects.
@MainActor
final class EffectRunner {
    enum Outcome { case goOn, quit }

    private let library: Library
    private let settings: BrowserSettings
    private let feed: BrowserFeed
    private let inbox: Inbox<BrowseMessage>
    private let presenter: PicturePresenter
    private let screen: any Screen
    private let clock: any Clock<Duration>
    private let prefetcher: ImagePrefetcher
    private let statuses: StatusReporter
    private var loads: [RequestID: Task<Void, Never>] = [:]
    private var background: [Task<Void, Never>] = []
    private var usageReport: Task<Void, Never>?
    /// Items that the user cancelled and did not ask for since.
    private var givenUp: Set<ItemID> = []

    init(
        library: Library, settings: BrowserSettings, feed: BrowserFeed, inbox: Inbox<BrowseMessage>,
        presenter: PicturePresenter, screen: any Screen, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.library = library
        self.settings = settings
        self.feed = feed
        self.inbox = inbox
        self.presenter = presenter
        self.screen = screen
        self.clock = clock
        statuses = StatusReporter(inbox: inbox, attempts: library.attempts)
        var options = library.options()
        options.download.priority = 0.25
        prefetcher = ImagePrefetcher(
            pipeline: library.pipeline, options: options, maxConcurrentDownloads: 8, maxPerHost: 6,
            backlogLimit: 4096)
    }

    /// Begins to read the lists and to hear the prefetcher.
    func start() {
        background.append(Task { await feed.read() })
        background.append(Task { await hearPrefetcher() })
        background.append(Task { await hearHosts() })
        reportUsage()
    }

    /// Ends everything that runs.
    func stop() async {
        await prefetcher.stop()
        for task in background + Array(loads.values) { task.cancel() }
        usageReport?.cancel()
    }

    @discardableResult
    func run(_ effect: BrowseEffect) -> Outcome {
        switch effect {
        case .load(let id, let item, let box, let reload): load(id, item, box: box, reload: reload)
        case .cancelLoad(let id): loads.removeValue(forKey: id)?.cancel()
        case .prefetch(let items): tellPrefetcher { await $0.replaceBacklog(with: $1.items(items)) }
        case .setPrefetchPaused(let isPaused):
            tellPrefetcher { prefetcher, _ in
                await isPaused ? prefetcher.pause() : prefetcher.resume()
            }
        case .cancelItem(let item):
            givenUp.insert(item)
            tellPrefetcher { prefetcher, _ in await prefetcher.cancel(item.rawValue) }
        case .retryItem(let item):
            tellPrefetcher { prefetcher, feed in
                for retried in feed.items([item]) { await prefetcher.add(retried) }
            }
        case .releasePicture(let picture): presenter.release(picture)
        case .redraw: screen.invalidate()
        case .suspend: screen.suspend()
        case .quit: return .quit
        }
        return .goOn
    }

    private var prefetcherOrders: Task<Void, Never>?

    /// Orders reach the prefetcher one after the other, as they were given.
    private func tellPrefetcher(_ order: @escaping @MainActor (ImagePrefetcher, BrowserFeed) async -> Void) {
        let previous = prefetcherOrders
        prefetcherOrders = Task { [prefetcher, feed] in
            await previous?.value
            await order(prefetcher, feed)
        }
    }
}

// MARK: - The selected picture

extension EffectRunner {
    private func load(_ id: RequestID, _ item: ItemID, box: PixelSize, reload: Bool) {
        givenUp.remove(item)
        guard let source = feed.source(item) else {
            return inbox.post(
                .slotFailed(id, FailureFacts(title: "no source", detail: "The item is gone.", attempts: 0)))
        }
        var options = library.options(processor: settings.processor |> DownsamplingImageProcessor(size: box))
        options.download.priority = 1
        options.cache.forceRefresh = reload
        options.process.progressiveJPEG = ImageProgressive(scanInterval: .milliseconds(200))
        options.delivery.callbackQueue = .main
        loads[id] = Task {
            await perform(id, item, source: source, options: options)
            loads[id] = nil
        }
    }

    private func perform(_ id: RequestID, _ item: ItemID, source: Source, options: ImageOptions) async {
        let started = MonotonicTime.now()
        do throws(ImageError) {
            let result = try await library.pipeline.image(for: source, options: options) { event in
                MainActor.assumeIsolated { self.hear(event, of: id, item, since: started) }
            }
            deliver(result, to: id, item, source: source, since: started)
        } catch {
            await fail(id, item, source: source, error: error)
        }
        reportUsage()
    }

    private func hear(_ event: LoadEvent, of id: RequestID, _ item: ItemID, since start: Duration) {
        switch event {
        case .progress(let progress):
            inbox.post(.slotProgress(id, received: progress.received, total: progress.total))
        case .partial(let image): inbox.post(.slotPartial(id, facts(of: image, origin: .network, since: start)))
        case .started, .retrying, .parked: break
        }
        statuses.report(item, event)
    }

    private func deliver(
        _ result: ImageResult, to id: RequestID, _ item: ItemID, source: Source, since start: Duration
    ) {
        let origin = PictureOrigin(result.cacheType, source: source)
        inbox.post(.slotPicture(id, facts(of: result.image, origin: origin, since: start)))
        statuses.end(item, .inMemory(bytes: result.image.byteCount))
    }

    /// What the screen needs to know of a picture, which the presenter holds from here on.
    private func facts(of image: Image, origin: PictureOrigin, since start: Duration) -> PictureFacts {
        PictureFacts(
            picture: presenter.add(image.pixels), size: image.size, originalSize: image.originalSize,
            format: image.format.rawValue, bytes: image.byteCount, frames: image.frameCount, origin: origin,
            milliseconds: (MonotonicTime.now() - start).milliseconds, processor: settings.processorText)
    }

    private func fail(_ id: RequestID, _ item: ItemID, source: Source, error: ImageError) async {
        guard !error.isTaskCancelled else { return await settle(item, source: source) }
        let attempts = error.isRetryable ? library.attempts : 1
        inbox.post(.slotFailed(id, FailureFacts(error, attempts: attempts)))
        statuses.end(item, .failed(reason: error.title))
    }

    /// A load that nobody waits for any more leaves the item as the caches have it, or to the prefetcher.
    private func settle(_ item: ItemID, source: Source) async {
        // This task was cancelled, and the index would not answer it.
        let standing = await Task { await library.standing(of: source) }.value
        statuses.end(item, standing)
        guard standing == .waiting, settings.prefetches, !givenUp.contains(item) else { return }
        run(.retryItem(item))
    }
}

// MARK: - The rest of the list

extension EffectRunner {
    private func hearPrefetcher() async {
        for await event in prefetcher.events {
            statuses.report(event)
            if case .finished = event { reportUsage() }
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
            let disk = try? await library.cache.disk?.statistics()
            inbox.post(
                .usageChanged(
                    CacheUsage(
                        memoryBytes: memory.totalCost, memoryLimit: memory.totalCostLimit,
                        diskBytes: disk?.bytes ?? 0, diskLimit: disk?.limit ?? 0)))
            usageReport = nil
        }
    }
}
