import Synchronization

/// A counter of all body bytes that a downloader receives, also of refused and cancelled transfers.
final class ReceivedBytes: Sendable {
    private let count = Atomic(0)

    var total: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}
