/// The order in which the caches are to be warmed: what is on the screen, then what lies ahead, then the rest.
struct PrefetchOrder {
    /// The most items one order names; the next follows when half of them are done.
    static let limit = 512

    let list: ItemList
    let statuses: StatusTable
    let cursor: Int
    let visible: Range<Int>
    let isForward: Bool
    var preferences = PrefetchPreferences()
    /// Nothing beyond what is on the screen.
    var isOnlyVisible = false

    /// The unfinished items in order, without the one under the cursor unless it was wished for.
    ///
    /// Complexity: O(items) at worst, O(1) when all are settled.
    var items: [ItemID] {
        guard statuses.pendingCount > 0 else { return [] }
        var order = preferences.prioritized.filter(isUnfinished)
        for rows in spans where order.count < PrefetchOrder.limit { take(rows, into: &order) }
        if list.isFiltered, !isOnlyVisible, order.count < PrefetchOrder.limit { takeHidden(into: &order) }
        return Array((order + preferences.postponed.filter(isUnfinished)).prefix(PrefetchOrder.limit))
    }

    private func isUnfinished(_ item: ItemID) -> Bool { !statuses.kind(of: item.rawValue).isDone }

    /// Ahead on the screen, behind on the screen, ahead beyond it, behind beyond it; each from the cursor outwards.
    private var spans: [StrideTo<Int>] {
        let first = min(visible.lowerBound, cursor)
        let last = max(visible.upperBound, min(cursor + 1, list.count))
        let down = [stride(from: cursor + 1, to: last, by: 1), stride(from: last, to: list.count, by: 1)]
        let up = [stride(from: cursor - 1, to: first - 1, by: -1), stride(from: first - 1, to: -1, by: -1)]
        let spans = isForward ? [down[0], up[0], down[1], up[1]] : [up[0], down[0], up[1], down[1]]
        return isOnlyVisible ? Array(spans.prefix(2)) : spans
    }

    private func take(_ rows: StrideTo<Int>, into order: inout [ItemID]) {
        for row in rows {
            take(list.index(at: row), into: &order)
            if order.count == PrefetchOrder.limit { return }
        }
    }

    /// What the filter hides comes last, in the order of the list.
    private func takeHidden(into order: inout [ItemID]) {
        let accepts = list.filter.test(list.items)
        for index in list.items.indices where !statuses.kind(of: index).isDone {
            if !accepts(index) { take(index, into: &order) }
            if order.count == PrefetchOrder.limit { return }
        }
    }

    private func take(_ index: Int, into order: inout [ItemID]) {
        let item = ItemID(index)
        if isUnfinished(item), preferences.leaves(item) { order.append(item) }
    }
}
