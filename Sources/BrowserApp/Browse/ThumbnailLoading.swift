import AlcedoBrowserCore
import Raster

/// Loads thumbnails, several at a time, in the order of the latest request.
@MainActor
final class ThumbnailLoading {
    /// Loads one thumbnail; returns false on failure.
    typealias Load = @MainActor (ItemID, PixelSize) async -> Bool

    private let load: Load
    private let width: Int
    private var queue: [ItemID] = []
    private var running: [ItemID: Task<Void, Never>] = [:]
    private var loaded: Set<ItemID> = []
    private var box = PixelSize.zero

    /// - Parameter width: The number of simultaneous loads; 4 by default.
    init(width: Int = 4, load: @escaping Load) {
        self.width = width
        self.load = load
    }

    /// Replaces the requested thumbnails; running loads that are still needed continue.
    func begin(_ items: [ItemID], box newBox: PixelSize) {
        let wanted = newBox == box ? Set(items) : []
        for item in running.keys where !wanted.contains(item) { running.removeValue(forKey: item)?.cancel() }
        loaded.formIntersection(wanted)
        box = newBox
        queue = items.filter { running[$0] == nil && !loaded.contains($0) }
        fill()
    }

    func stop() { begin([], box: .zero) }

    private func fill() {
        while running.count < width, !queue.isEmpty {
            let (item, box) = (queue.removeFirst(), box)
            running[item] = Task {
                let isLoaded = await load(item, box)
                guard !Task.isCancelled else { return }
                running[item] = nil
                if isLoaded { loaded.insert(item) }
                fill()
            }
        }
    }
}
