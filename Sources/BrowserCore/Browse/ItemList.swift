/// The items of the list, those of them that the filter lets through, and the marks.
struct ItemList: Sendable, Equatable {
    private(set) var items: [BrowseItem] = []
    private(set) var filter = RowFilter("")
    private(set) var marks: Set<Int> = []
    /// Indices of the items that pass; nil while all do.
    private var matches: [Int]?
    /// One storage for each place, however many items share it.
    private var places: [String: String] = [:]

    static let placeLimit = 4096

    /// How many rows there are.
    var count: Int { matches?.count ?? items.count }
    var isFiltered: Bool { matches != nil }

    /// The item's index at a row.
    func index(at row: Int) -> Int { matches?[row] ?? row }

    /// The row of an item or, when it is hidden, of the next one that is not.
    ///
    /// Complexity: O(log n).
    func row(of index: Int) -> Int {
        guard let matches else { return index }
        var low = 0
        var high = matches.count
        while low < high {
            let middle = (low + high) / 2
            if matches[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Adds items in the order of their numbers; one with a number out of turn is left out.
    ///
    /// Returns how many came.
    mutating func append(_ added: [BrowseItem]) -> Int {
        let start = items.count
        for item in added where item.id.rawValue == items.count { items.append(sharingPlace(item)) }
        if matches != nil { matches?.append(contentsOf: (start..<items.count).filter { filter.accepts(items[$0]) }) }
        return items.count - start
    }

    /// Shows only what the filter accepts; a filter that narrows the last one looks only at what is shown.
    mutating func apply(_ new: RowFilter) {
        let candidates = new.narrows(filter) ? matches : nil
        filter = new
        if new.isEmpty {
            matches = nil
        } else if let candidates {
            matches = candidates.filter { new.accepts(items[$0]) }
        } else {
            matches = items.indices.filter { new.accepts(items[$0]) }
        }
    }

    mutating func toggleMark(_ index: Int) {
        if marks.remove(index) == nil { marks.insert(index) }
    }

    private mutating func sharingPlace(_ item: BrowseItem) -> BrowseItem {
        if let known = places[item.place] {
            return BrowseItem(id: item.id, name: item.name, place: known, location: item.location)
        }
        if places.count < ItemList.placeLimit { places[item.place] = item.place }
        return item
    }
}
