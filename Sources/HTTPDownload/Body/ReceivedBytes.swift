import Synchronization

/// Counts what all transfers of a downloader bring, whatever becomes of it.
final class ReceivedBytes: Sendable {
    private let count = Atomic(0)

    var total: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}
