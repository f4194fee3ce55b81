import Raster

/// The items beside the selected one, which are prepared after it.
struct Neighbours: Sendable, Equatable {
    /// The next item in the direction of travel, then the one on the other side.
    var items: [ItemID] = []
    /// The number of finished items: one that has just loaded is prepared then.
    var doneCount = 0
    var box = PixelSize.zero
}

extension BrowseState {
    /// Requests the neighbours once the selected picture is shown; requests nothing while it is loading.
    mutating func refreshNeighbours() -> [BrowseEffect] {
        let wanted =
            options.prefetches && !showsGrid && slot.picture != nil && !slot.isLoading ? currentNeighbours : nil
        guard wanted != neighbours else { return [] }
        defer { neighbours = wanted }
        guard let wanted else { return neighbours?.items.isEmpty == false ? [.prepare([], box: .zero)] : [] }
        return [.prepare(wanted.items, box: wanted.box)]
    }

    private var currentNeighbours: Neighbours {
        let step = viewport.isForward ? 1 : -1
        let rows = [viewport.cursor + step, viewport.cursor - step].filter { (0..<list.count).contains($0) }
        let indices = rows.map { list.index(at: $0) }
        let done = indices.count { statuses.kind(of: $0).isDone }
        return Neighbours(
            items: indices.map { ItemID($0) }, doneCount: done, box: cell.pixels(of: layout.picture))
    }
}
