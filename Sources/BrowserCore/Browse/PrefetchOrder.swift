/// The order in which the caches are to be warmed: what is on the screen, then what lies ahead, then the rest.
struct PrefetchOrder {
    /// The most items one order names; the next follows when half of them are done.
    static let limit = 512

    let list: ItemList
    let statuses: StatusTable
    let cursor: Int
    let visible: Range<Int>
    let isForward: Bool

    /// The unfinished items in order, without the one under the cursor; some may come before all others.
    ///
    /// Complexity: O(items) at worst, O(1) when all are settled.
    func items(first: [ItemID] = []) -> [ItemID] {
        guard statuses.pendingCount > 0 else { return [] }
        let hastened = first.filter { !statuses.kind(of: $0.rawValue).isSettled }
        guard hastened.isEmpty else {
            return Array((hastened + items().filter { !hastened.contains($0) }).prefix(PrefetchOrder.limit))
        }
        var order: [ItemID] = []
        for rows in spans where order.count < PrefetchOrder.limit { take(rows, into: &order) }
        if list.isFiltered, order.count < PrefetchOrder.limit { takeHidden(into: &order) }
        return order
    }

    /// Ahead on the screen, behind on the screen, ahead beyond it, behind beyond it; each from the cursor outwards.
    private var spans: [StrideTo<Int>] {
        let first = min(visible.lowerBound, cursor)
        let last = max(visible.upperBound, min(cursor + 1, list.count))
        let down = [stride(from: cursor + 1, to: last, by: 1), stride(from: last, to: list.count, by: 1)]
        let up = [stride(from: cursor - 1, to: first - 1, by: -1), stride(from: first - 1, to: -1, by: -1)]
        return isForward ? [down[0], up[0], down[1], up[1]] : [up[0], down[0], up[1], down[1]]
    }

    private func take(_ rows: StrideTo<Int>, into order: inout [ItemID]) {
        for row in rows {
            let index = list.index(at: row)
            if !statuses.kind(of: index).isSettled { order.append(ItemID(index)) }
            if order.count == PrefetchOrder.limit { return }
        }
    }

    /// What the filter hides comes last, in the order of the list.
    private func takeHidden(into order: inout [ItemID]) {
        for index in list.items.indices where !statuses.kind(of: index).isSettled {
            if !list.filter.accepts(list.items[index]) { order.append(ItemID(index)) }
            if order.count == PrefetchOrder.limit { return }
        }
    }
}
