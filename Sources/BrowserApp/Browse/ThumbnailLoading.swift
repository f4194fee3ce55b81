import BrowserCore
import Raster

/// Gets small pictures, several at a time, in the order of the latest wish.
@MainActor
final class ThumbnailLoading {
    /// Gets one; false when it was not had.
    typealias Load = @MainActor (ItemID, PixelSize) async -> Bool

    private let load: Load
    private let width: Int
    private var queue: [ItemID] = []
    private var running: [ItemID: Task<Void, Never>] = [:]
    private var had: Set<ItemID> = []
    private var box = PixelSize.zero

    /// `width` is how many are on their way at a time, 4 by default.
    init(width: Int = 4, load: @escaping Load) {
        self.width = width
        self.load = load
    }

    /// Takes other ones; what is on its way and still wanted goes on.
    func begin(_ items: [ItemID], box newBox: PixelSize) {
        let wanted = newBox == box ? Set(items) : []
        for item in running.keys where !wanted.contains(item) { running.removeValue(forKey: item)?.cancel() }
        had.formIntersection(wanted)
        box = newBox
        queue = items.filter { running[$0] == nil && !had.contains($0) }
        fill()
    }

    func stop() { begin([], box: .zero) }

    private func fill() {
        while running.count < width, !queue.isEmpty {
            let (item, box) = (queue.removeFirst(), box)
            running[item] = Task {
                let isHad = await load(item, box)
                guard !Task.isCancelled else { return }
                running[item] = nil
                if isHad { had.insert(item) }
                fill()
            }
        }
    }
}
