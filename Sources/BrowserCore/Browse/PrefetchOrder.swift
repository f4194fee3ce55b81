import AlcedoScreen
import Raster

/// The order in which items are prefetched: visible ones, then those ahead of the cursor, then the rest.
extension BrowseState {
    /// The rows of a list of which all pictures are prefetched; of a longer one those around the cursor are.
    static let wholeList = 2000
    /// The rows ahead of the cursor that are prefetched of a long list; a third as many behind it are.
    private static let rowsAhead = 384

    /// Whether only the pictures around the cursor and the marked ones are prefetched.
    var followsCursor: Bool { !options.prefetchesAll && list.existingCount > Self.wholeList }

    /// The unfinished items in order, without the one under the cursor unless the user prioritized it.
    ///
    /// Low data includes only visible items. Complexity: O(items) at worst, O(1) if all are done.
    var prefetchOrder: [ItemID] {
        guard statuses.pendingCount > 0 else { return [] }
        var order = prefetch.preferences.prioritized.filter(isUnfinished)
        for rows in prefetchSpans where order.count < PrefetchState.limit { append(rows, into: &order) }
        if followsCursor, !isLowData {
            let known = Set(order)
            // Not sorted: there may be a million, and this follows each key.
            for index in list.marks where order.count < PrefetchState.limit && !known.contains(ItemID(index)) {
                append(index, into: &order)
            }
        }
        if list.isFiltered, !isLowData, !followsCursor, order.count < PrefetchState.limit { appendHidden(into: &order) }
        return Array((order + prefetch.preferences.postponed.filter(isUnfinished)).prefix(PrefetchState.limit))
    }

    private func isUnfinished(_ item: ItemID) -> Bool { !statuses.kind(of: item.rawValue).isDone }

    /// Visible rows ahead and behind, then the others ahead and behind; each from the cursor outwards.
    private var prefetchSpans: [StrideTo<Int>] {
        let (visible, cursor) = (visibleRows, viewport.cursor)
        let first = min(visible.lowerBound, cursor)
        let last = max(visible.upperBound, min(cursor + 1, list.count))
        let (ahead, behind) = (Self.rowsAhead, Self.rowsAhead / 3)
        let end = followsCursor ? min(list.count, cursor + 1 + (viewport.isForward ? ahead : behind)) : list.count
        let start = followsCursor ? max(0, cursor - (viewport.isForward ? behind : ahead)) : 0
        let down = [stride(from: cursor + 1, to: last, by: 1), stride(from: last, to: max(last, end), by: 1)]
        let up = [
            stride(from: cursor - 1, to: first - 1, by: -1), stride(from: first - 1, to: min(first, start) - 1, by: -1),
        ]
        let spans = viewport.isForward ? [down[0], up[0], down[1], up[1]] : [up[0], down[0], up[1], down[1]]
        return isLowData ? Array(spans.prefix(2)) : spans
    }

    private func append(_ rows: StrideTo<Int>, into order: inout [ItemID]) {
        for row in rows {
            append(list.index(at: row), into: &order)
            if order.count == PrefetchState.limit { return }
        }
    }

    /// Appends the items that the filter hides, in the order of the list.
    private func appendHidden(into order: inout [ItemID]) {
        let accepts = list.predicate(of: list.filter)
        for index in list.items.indices where !statuses.kind(of: index).isDone {
            if !accepts(index) { append(index, into: &order) }
            if order.count == PrefetchState.limit { return }
        }
    }

    private func append(_ index: Int, into order: inout [ItemID]) {
        let item = ItemID(index)
        if isUnfinished(item), prefetch.preferences.isDefault(item) { order.append(item) }
    }
}

/// The user's changes to the prefetch order.
struct PrefetchPreferences: Sendable, Equatable {
    /// Items before all others, the last one that the user prioritized first.
    private(set) var prioritized: [ItemID] = []
    /// Items after all others, the last one that the user postponed last.
    private(set) var postponed: [ItemID] = []
    /// Items that are not prefetched: they were cancelled or removed from the cache.
    private(set) var skipped: Set<ItemID> = []

    var isEmpty: Bool { prioritized.isEmpty && postponed.isEmpty && skipped.isEmpty }

    mutating func prioritize(_ item: ItemID) {
        forget(item)
        prioritized.insert(item, at: 0)
    }

    mutating func postpone(_ item: ItemID) {
        forget(item)
        postponed.append(item)
    }

    mutating func skip(_ item: ItemID) {
        forget(item)
        skipped.insert(item)
    }

    /// Removes an item from all preferences.
    mutating func forget(_ item: ItemID) {
        prioritized.removeAll { $0 == item }
        postponed.removeAll { $0 == item }
        skipped.remove(item)
    }

    /// Whether an item has no preference, so that it keeps its default place.
    func isDefault(_ item: ItemID) -> Bool {
        isEmpty || !(skipped.contains(item) || prioritized.contains(item) || postponed.contains(item))
    }
}

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
