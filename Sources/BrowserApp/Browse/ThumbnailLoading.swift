import AlcedoBrowserCore
import Raster

/// Loads thumbnails, several at a time, in the order of the latest request.
///
/// Previews in the files, which can be shown at once, come before thumbnails that take longer.
@MainActor
final class ThumbnailLoading {
    /// Loads one thumbnail; returns false on failure.
    typealias Load = @MainActor (ItemID, PixelSize) async -> Bool

    private struct Running {
        let task: Task<Void, Never>
        let isQuick: Bool
    }

    private let load: Load
    private let loadQuickly: Load
    private let width: Int
    private var queue: [ItemID] = []
    /// The visible ones, which are loaded quickly before any is loaded whole.
    private var quickQueue: [ItemID] = []
    private var running: [ItemID: Running] = [:]
    private var tried: Set<ItemID> = []
    private var loaded: Set<ItemID> = []
    private var box = PixelSize.zero

    /// - Parameters:
    ///   - width: The number of simultaneous loads; 4 by default.
    ///   - quick: Shows a thumbnail or something like it at once; returns false if `load` has to follow.
    init(width: Int = 4, quick: @escaping Load = { _, _ in false }, load: @escaping Load) {
        (self.width, self.load, loadQuickly) = (width, load, quick)
    }

    /// Replaces the requested thumbnails; running loads that are still needed continue.
    ///
    /// - Parameter visible: The number of the first items that are visible.
    func begin(_ items: [ItemID], box newBox: PixelSize, visible: Int = 0) {
        let wanted = newBox == box ? Set(items) : []
        for item in running.keys where !wanted.contains(item) { running.removeValue(forKey: item)?.task.cancel() }
        loaded.formIntersection(wanted)
        tried.formIntersection(wanted)
        box = newBox
        queue = items.filter { running[$0]?.isQuick != false && !loaded.contains($0) }
        quickQueue = items.prefix(visible).filter { running[$0] == nil && !loaded.contains($0) && !tried.contains($0) }
        fill()
    }

    /// Whether visible ones are being loaded quickly.
    var isQuick: Bool { !quickQueue.isEmpty || running.values.contains(where: \.isQuick) }

    func stop() { begin([], box: .zero) }

    private func fill() {
        while running.count < width, let (item, isQuick) = next() {
            let load = isQuick ? loadQuickly : load
            let task = Task { [box] in
                let isLoaded = await load(item, box)
                guard !Task.isCancelled else { return }
                running[item] = nil
                tried.insert(item)
                if isLoaded { loaded.insert(item) }
                fill()
            }
            running[item] = Running(task: task, isQuick: isQuick)
        }
    }

    private func next() -> (item: ItemID, isQuick: Bool)? {
        if !quickQueue.isEmpty { return (quickQueue.removeFirst(), true) }
        queue.removeAll(where: loaded.contains)
        // One that is being loaded quickly has its turn after that.
        guard let place = queue.firstIndex(where: { running[$0] == nil }) else { return nil }
        return (queue.remove(at: place), false)
    }
}
