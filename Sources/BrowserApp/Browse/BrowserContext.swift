import BrowserCore
import ImageLoading

/// The dependencies shared by everything that loads pictures for the browser.
@MainActor
struct BrowserContext {
    let library: ImageServices
    let feed: BrowserFeed
    let inbox: Inbox<BrowseMessage>
    let clock: any Clock<Duration>
    let choices: LoadChoices
    let statuses: StatusReporter
    let usage: UsageReport
    let transfers = RecentTransfers()

    init(
        library: ImageServices, settings: BrowserSettings, feed: BrowserFeed, inbox: Inbox<BrowseMessage>,
        clock: any Clock<Duration>
    ) {
        self.library = library
        self.feed = feed
        self.inbox = inbox
        self.clock = clock
        choices = LoadChoices(library: library, feed: feed, settings: settings)
        statuses = StatusReporter(inbox: inbox, attempts: library.attempts)
        usage = UsageReport(of: library.cache, to: inbox, clock: clock)
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
        self.cache = cache
        self.inbox = inbox
        self.clock = clock
    }

    /// Schedules a report because something may have changed.
    func renew() {
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
