import Filters

/// The items of the list, the filtered and sorted rows, and the marks.
struct ItemList: Sendable, Equatable {
    private(set) var items = ItemTable()
    var statuses = StatusTable()
    private(set) var facts = FactTable()
    private(set) var filter = ListFilter()
    private(set) var marks: Set<Int> = []
    private(set) var order = SortOrder.list
    /// All indices in sorted order; nil for the list's own order.
    private var sorted: [Int]?
    /// Indices of the rows; nil if all items are listed in their own order.
    private var rows: [Int]?
    private var scan: FilterScan?
    /// Whether the rows are given items instead of those that the filter accepts.
    private(set) var isGroup = false
    /// The digests and hashes that several items share, as of the filter's start.
    private var related = RelatedPictures()

    /// The number of rows.
    var count: Int { rows?.count ?? items.count }
    var isFiltered: Bool { !filter.isEmpty }
    /// Whether the filter has not tested all items yet.
    var isFiltering: Bool { scan != nil }

    /// Returns the index of a row's item.
    func index(at row: Int) -> Int { rows?[row] ?? row }

    /// Returns the row of an item or, if it is hidden, of the next one that is not.
    ///
    /// Complexity: O(log n); O(n) if the rows are sorted.
    func row(of index: Int) -> Int {
        guard let rows else { return index }
        if sorted != nil || isGroup { return rows.firstIndex(of: index) ?? 0 }
        return rows.partitioningIndex { $0 >= index }
    }

    /// Appends items in the order of their numbers; ignores an item whose number is not the next one.
    ///
    /// - Returns: the number of appended items.
    @discardableResult
    mutating func append(_ added: [BrowseItem]) -> Int {
        let start = items.count
        for item in added where item.id.rawValue == items.count { items.append(item) }
        // New items come last until the rows are sorted again.
        sorted?.append(contentsOf: start..<items.count)
        statuses.append(items.count - start)
        if scan != nil {
            scan?.append(start..<items.count)
        } else if rows != nil, !isGroup {
            let accepted = (start..<items.count).filter(predicate(of: filter))
            rows?.append(contentsOf: accepted)
        }
        return items.count - start
    }

    /// Lists only the items that a filter accepts; tests only the current rows if it narrows the last filter.
    ///
    /// Tests the first few thousand items; `continueFiltering` tests the others.
    mutating func apply(_ new: ListFilter) {
        let candidates = new.narrows(filter) && isFiltered && !isFiltering ? rows : nil
        filter = new
        isGroup = false
        related = relations(of: new)
        scan = new.isEmpty ? nil : FilterScan(of: candidates ?? sorted, count: items.count)
        rows = new.isEmpty ? sorted : []
        continueFiltering()
    }

    /// Returns the current filter, or another one without relations, as a predicate over the indices of items.
    func predicate(of filter: ListFilter) -> (Int) -> Bool { tested(related).predicate(of: filter) }

    private func tested(_ related: RelatedPictures) -> FilteredItems {
        FilteredItems(items: items, statuses: statuses, facts: facts, related: related)
    }

    private func relations(of filter: ListFilter) -> RelatedPictures {
        RelatedPictures(
            for: filter.filter, repeatedDigests: { RelatedPictures.repeated(facts.all.compactMap(\.digest)) },
            hashes: { facts.all.compactMap(\.hash) })
    }

    /// Records facts of a picture.
    mutating func record(_ new: ItemFacts, of item: ItemID) {
        guard items.indices.contains(item.rawValue) else { return }
        facts.record(new, of: item)
        testAgain(item.rawValue)
    }

    /// Records what was seen of a decoded picture.
    mutating func record(_ new: PictureFacts, of item: ItemID) {
        guard items.indices.contains(item.rawValue) else { return }
        facts.record(new, of: item)
        testAgain(item.rawValue)
    }

    /// Lists or hides an item whose state or facts have changed, if the filter reads them.
    mutating func testAgain(_ index: Int) {
        guard filter.readsFacts, hasScanned(index), let rows else { return }
        let place = sorted == nil ? rows.partitioningIndex { $0 >= index } : rows.firstIndex(of: index) ?? rows.count
        let isListed = place < rows.count && rows[place] == index
        guard predicate(of: filter)(index) != isListed else { return }
        if isListed { self.rows?.remove(at: place) } else { self.rows?.insert(index, at: place) }
    }

    /// Lists some items in this order, until a filter is applied or the rows are sorted.
    mutating func list(only indices: [Int]) {
        filter = ListFilter()
        scan = nil
        rows = indices
        isGroup = true
    }

    /// Tests the next items, few enough not to delay a key.
    mutating func continueFiltering() {
        guard let slice = scan?.nextSlice(filter.isSlow ? 512 : 8192) else { return }
        let accepts = predicate(of: filter)
        rows?.append(contentsOf: slice.filter(accepts))
        if scan?.isDone == true { scan = nil }
    }

    /// Whether the filter has tested an item, or all items before it.
    func hasScanned(_ index: Int) -> Bool { scan.map { $0.hasPassed(index) } ?? true }

    /// Sorts the rows.
    mutating func sort(by new: SortOrder) {
        order = new
        isGroup = false
        sorted = RowSorting(items: items, statuses: statuses, facts: facts).order(by: new)
        rows = sorted
        if isFiltered { apply(filter) }
    }

    /// Returns the next row in a direction that a filter accepts, wrapping around; nil if there is none.
    func row(accepting filter: ListFilter, from start: Int, isForward: Bool) -> Int? {
        guard count > 0 else { return nil }
        let accepts = predicate(of: filter)
        let step = isForward ? 1 : count - 1
        return (1...count).lazy.map { (start + $0 * step) % count }.first { accepts(index(at: $0)) }
    }

    mutating func toggleMark(_ index: Int) {
        if marks.remove(index) == nil { marks.insert(index) }
    }

    /// Returns the items that a filter accepts.
    func indices(accepting filter: ListFilter) -> [Int] {
        items.indices.filter(tested(relations(of: filter)).predicate(of: filter))
    }

    mutating func markInspected(_ indices: [Int]) { facts.markInspected(indices) }

    mutating func mark(_ indices: [Int]) { marks.formUnion(indices) }

    /// Marks the items of some rows.
    mutating func mark(rows: some Sequence<Int>) { marks.formUnion(rows.map { index(at: $0) }) }

    mutating func unmarkAll() { marks = [] }
}

/// The progress of a filter through the items, a slice at a time.
struct FilterScan: Sendable, Equatable {
    /// The indices in their order; nil for the list's own order.
    private var order: [Int]?
    private var count: Int
    private var next = 0

    init(of order: [Int]?, count: Int) {
        self.order = order
        self.count = order?.count ?? count
    }

    var isDone: Bool { next >= count }

    /// Returns the next indices to test, at most `most`.
    mutating func nextSlice(_ most: Int) -> [Int] {
        let range = next..<min(count, next + most)
        next = range.upperBound
        return order.map { Array($0[range]) } ?? Array(range)
    }

    /// Appends new items at the end.
    mutating func append(_ indices: Range<Int>) {
        order?.append(contentsOf: indices)
        count += indices.count
    }

    /// Whether an item has been tested; false if that is uncertain.
    func hasPassed(_ index: Int) -> Bool { order == nil && index < next }
}
