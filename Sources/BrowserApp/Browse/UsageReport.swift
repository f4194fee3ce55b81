import BrowserCore
import ImageLoading

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
