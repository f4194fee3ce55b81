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
