/// The items of the list, those of them that the filter lets through, and the marks.
struct ItemList: Sendable, Equatable {
    private(set) var items = ItemTable()
    private(set) var filter = RowFilter("")
    private(set) var marks: Set<Int> = []
    private(set) var order = SortOrder.list
    /// All indices in the order of the sorting; nil in the list's own.
    private var sorted: [Int]?
    /// Indices of the items that pass, in order; nil while all do in the list's own order.
    private var rows: [Int]?
    private var scan: FilterScan?

    /// How many rows there are.
    var count: Int { rows?.count ?? items.count }
    var isFiltered: Bool { !filter.isEmpty }
    /// Whether the filter has not looked at all items yet.
    var isFiltering: Bool { scan != nil }

    /// The item's index at a row.
    func index(at row: Int) -> Int { rows?[row] ?? row }

    /// The row of an item or, when it is hidden, of the next one that is not.
    ///
    /// Complexity: O(log n); O(n) where the rows are sorted.
    func row(of index: Int) -> Int {
        guard let rows else { return index }
        if sorted != nil { return rows.firstIndex(of: index) ?? 0 }
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Adds items in the order of their numbers; one with a number out of turn is left out.
    ///
    /// Returns how many came.
    mutating func append(_ added: [BrowseItem]) -> Int {
        let start = items.count
        for item in added where item.id.rawValue == items.count { items.append(item) }
        // What comes while the rows are sorted stands last, until they are sorted again.
        sorted?.append(contentsOf: start..<items.count)
        if scan != nil {
            scan?.append(start..<items.count)
        } else if rows != nil {
            rows?.append(contentsOf: (start..<items.count).filter(filter.test(items)))
        }
        return items.count - start
    }

    /// Shows only what the filter accepts; a filter that narrows the last one looks only at what is shown.
    ///
    /// It looks at the first few thousand items, at the others with `continueFiltering`.
    mutating func apply(_ new: RowFilter) {
        let candidates = new.narrows(filter) && isFiltered && !isFiltering ? rows : nil
        filter = new
        scan = new.isEmpty ? nil : FilterScan(of: candidates ?? sorted, count: items.count)
        rows = new.isEmpty ? sorted : []
        continueFiltering()
    }

    /// Looks at some more items: so many that no key waits for it.
    mutating func continueFiltering() {
        guard let slice = scan?.take(filter.isPattern ? 512 : 8192) else { return }
        let accepts = filter.test(items)
        rows?.append(contentsOf: slice.filter(accepts))
        if scan?.isDone == true { scan = nil }
    }

    /// Whether the filter has looked at an item, or at all that are before it.
    func hasScanned(_ index: Int) -> Bool { scan.map { $0.hasPassed(index) } ?? true }

    /// Puts the rows into another order.
    mutating func sort(by new: SortOrder, _ statuses: StatusTable) {
        order = new
        sorted = RowSorting(items: items, statuses: statuses).order(by: new)
        rows = sorted
        if isFiltered { apply(filter) }
    }

    /// The next row in a direction that a filter accepts, past the end from the beginning; nil when there is none.
    func row(accepting filter: RowFilter, from start: Int, isForward: Bool) -> Int? {
        guard count > 0 else { return nil }
        let accepts = filter.test(items)
        let step = isForward ? 1 : count - 1
        return (1...count).lazy.map { (start + $0 * step) % count }.first { accepts(index(at: $0)) }
    }

    mutating func toggleMark(_ index: Int) {
        if marks.remove(index) == nil { marks.insert(index) }
    }

    /// Marks the items of some rows.
    mutating func mark(rows: some Sequence<Int>) { marks.formUnion(rows.map { index(at: $0) }) }

    mutating func unmarkAll() { marks = [] }
}
