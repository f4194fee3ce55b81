import BrowserCore
import ImageLoading

/// The metrics of the latest transfers, at most `limit`.
@MainActor
final class RecentTransfers {
    static let limit = 1000

    private var metrics: [ItemID: DownloadMetrics] = [:]
    private var order: [ItemID] = []

    subscript(item: ItemID) -> DownloadMetrics? { metrics[item] }

    func note(_ transfer: DownloadMetrics, of item: ItemID) {
        if metrics.updateValue(transfer, forKey: item) == nil { order.append(item) }
        guard order.count > RecentTransfers.limit else { return }
        for old in order.prefix(RecentTransfers.limit / 2) { metrics[old] = nil }
        order.removeFirst(RecentTransfers.limit / 2)
    }
}
