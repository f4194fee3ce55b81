import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import ImageLoading
import Raster

/// The dependencies shared by everything that loads pictures for the browser.
@MainActor
struct BrowserContext {
    let library: ImageServices
    let listLoader: BrowserListLoader
    let inbox: Inbox<BrowseMessage>
    let clock: any Clock<Duration>
    let choices: LoadChoices
    let statuses: StatusReporter
    let usage: UsageReport
    let transfers = RecentTransfers()

    init(
        library: ImageServices, settings: BrowserSettings, listLoader: BrowserListLoader, inbox: Inbox<BrowseMessage>,
        clock: any Clock<Duration>
    ) {
        (self.library, self.listLoader, self.inbox, self.clock) = (library, listLoader, inbox, clock)
        choices = LoadChoices(library: library, listLoader: listLoader, settings: settings)
        statuses = StatusReporter(inbox: inbox, attempts: library.attempts)
        usage = UsageReport(of: library.cache, to: inbox, clock: clock)
    }

    /// Posts the facts of an item's picture, if they are known.
    func report(_ facts: ImageFacts?, of item: ItemID) {
        guard let facts, let address = listLoader.location(item) else { return }
        inbox.post(.factsKnown(item, ItemFacts(facts, address: address)))
    }
}

extension Orientation {
    fileprivate var processor: any ImageProcessor {
        let turn = RotateImageProcessor(angle: Double(quarters) * 90)
        guard isMirrored else { return turn }
        let mirror = FlipImageProcessor(.horizontal)
        return quarters == 0 ? mirror : mirror |> turn
    }
}

/// The metrics of the latest transfers, at most `limit`.
@MainActor
final class RecentTransfers {
    static let limit = 1000

    private var metrics: [ItemID: DownloadMetrics] = [:]
    private var order: [ItemID] = []

    subscript(item: ItemID) -> DownloadMetrics? { metrics[item] }

    func record(_ transfer: DownloadMetrics, of item: ItemID) {
        if metrics.updateValue(transfer, forKey: item) == nil { order.append(item) }
        guard order.count > RecentTransfers.limit else { return }
        for old in order.prefix(RecentTransfers.limit / 2) { metrics[old] = nil }
        order.removeFirst(RecentTransfers.limit / 2)
    }
}

/// Reports the usage of the caches, at most three times a second.
@MainActor
final class UsageReport {
    private let cache: ImageCache
    private let inbox: Inbox<BrowseMessage>
    private let clock: any Clock<Duration>
    private var report: Task<Void, Never>?

    init(of cache: ImageCache, to inbox: Inbox<BrowseMessage>, clock: any Clock<Duration>) {
        (self.cache, self.inbox, self.clock) = (cache, inbox, clock)
    }

    /// Sends the cache's usage in 330 ms; does nothing if that is scheduled already.
    func scheduleReport() {
        guard report == nil else { return }
        report = Task {
            guard (try? await clock.sleep(for: .milliseconds(330))) != nil else { return }
            let space = try? await cache.disk?.totalSpace()
            inbox.post(
                .usageChanged(
                    CacheUsage(
                        memoryBytes: cache.memory.totalCost, memoryLimit: cache.memory.totalCostLimit,
                        diskBytes: space ?? 0, diskLimit: cache.disk?.configuration.sizeLimit ?? 0)))
            report = nil
        }
    }

    func stop() { report?.cancel() }
}

/// The load options of items: the options of the list entry, combined with the options chosen for all items.
@MainActor
final class LoadChoices {
    private let library: ImageServices
    private let listLoader: BrowserListLoader
    /// Applied between source and preview.
    private var processor: any ImageProcessor
    /// The text of the processor chain.
    private(set) var processorText: String
    var isLowData = false
    /// The pages chosen for single items.
    var pages: [ItemID: Int] = [:]
    /// The turns chosen for single items.
    var turns: [ItemID: Orientation] = [:]

    init(library: ImageServices, listLoader: BrowserListLoader, settings: BrowserSettings) {
        self.library = library
        self.listLoader = listLoader
        (processor, processorText) = (settings.processor, settings[.process])
    }

    /// Sets the processor chain; an invalid chain changes nothing.
    func setProcessor(_ chain: String) throws(ProcessorGrammar.Problem) {
        processor = try chain.isEmpty ? DefaultImageProcessor() : ProcessorGrammar.parse(chain)
        processorText = chain
    }

    /// Returns an item's processor chain: its page, its turn, the chain of its list entry, then the chain chosen for all
    /// items.
    func chain(of item: ItemID) -> any ImageProcessor {
        let own = listLoader.process(of: item).flatMap { try? ProcessorGrammar.parse($0) }
        let rest = own.map { $0 |> processor } ?? processor
        let chain = turns[item].map { $0.processor |> rest } ?? rest
        guard let page = pages[item] else { return chain }
        return chain.steps.filter { $0.decodePage == nil }.reduce(PageImageProcessor(page) as any ImageProcessor) {
            $0 |> $1
        }
    }

    /// Returns the same chain followed by downsampling to a box.
    func chain(of item: ItemID, within box: PixelSize) -> any ImageProcessor {
        chain(of: item) |> DownsamplingImageProcessor(size: box)
    }

    func chainText(of item: ItemID) -> String {
        [turns[item]?.processor.identifier ?? "", listLoader.process(of: item) ?? "", processorText].filter {
            !$0.isEmpty
        }.joined(separator: " |> ")
    }

    /// Returns the options for a picture within a box.
    func options(_ item: ItemID, _ box: PixelSize, priority: Double) -> ImageOptions {
        var options = library.options(processor: chain(of: item, within: box))
        options.download.priority = priority
        options.download.isNetworkConstrained = isLowData
        return listLoader.options(options, for: item)
    }

    /// Returns the options for a picture in full resolution.
    func wholeOptions(_ item: ItemID) -> ImageOptions {
        listLoader.options(library.options(processor: chain(of: item)), for: item)
    }

    /// The options for pictures that are not shown yet.
    var prefetchOptions: ImageOptions {
        var options = library.options()
        options.download.priority = 0.25
        options.download.isNetworkConstrained = isLowData
        return options
    }
}
