import AlcedoBrowserCore
import Raster

/// Prepares the pictures that may be selected next, one at a time, until the selection changes.
@MainActor
final class NeighbourPreparation {
    private let prepare: @MainActor (ItemID, PixelSize) async -> Void
    private var work: Task<Void, Never>?
    private var last: (items: [ItemID], box: PixelSize)?

    /// - Parameter prepare: Prepares one item; returns early when its task is cancelled.
    init(prepare: @escaping @MainActor (ItemID, PixelSize) async -> Void) { self.prepare = prepare }

    /// Replaces the items that are not ready yet.
    func begin(_ items: [ItemID], box: PixelSize) {
        stop()
        last = (items, box)
        guard !items.isEmpty else { return }
        work = Task(priority: .utility) { [prepare] in
            for item in items where !Task.isCancelled { await prepare(item, box) }
        }
    }

    /// Prepares the same items again, because pictures are now drawn differently.
    func repeatLast() {
        if let last { begin(last.items, box: last.box) }
    }

    func stop() { work?.cancel() }
}
