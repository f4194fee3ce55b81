import BrowserCore
import Raster

/// Gets ready what may be chosen next: one item after the other, until something else is chosen.
@MainActor
final class NeighbourPreparation {
    private let prepare: @MainActor (ItemID, PixelSize) async -> Void
    private var work: Task<Void, Never>?
    private var last: (items: [ItemID], box: PixelSize)?

    /// `prepare` does one item, and ends early when its task is cancelled.
    init(prepare: @escaping @MainActor (ItemID, PixelSize) async -> Void) { self.prepare = prepare }

    /// Takes other items in the stead of those that are not ready yet.
    func begin(_ items: [ItemID], box: PixelSize) {
        stop()
        last = (items, box)
        guard !items.isEmpty else { return }
        work = Task(priority: .utility) { [prepare] in
            for item in items where !Task.isCancelled { await prepare(item, box) }
        }
    }

    /// Begins anew with the same, because pictures are now drawn in another way.
    func repeatLast() {
        if let last { begin(last.items, box: last.box) }
    }

    func stop() { work?.cancel() }
}
