/// A filter's way through the items, a slice at a time, so that no key waits for a million rows.
struct FilterScan: Sendable, Equatable {
    /// The indices in their order; nil where that is the list's own.
    private var order: [Int]?
    private var count: Int
    private var next = 0

    init(of order: [Int]?, count: Int) {
        self.order = order
        self.count = order?.count ?? count
    }

    var isDone: Bool { next >= count }

    /// The next indices to look at, at most so many.
    mutating func take(_ most: Int) -> [Int] {
        let range = next..<min(count, next + most)
        next = range.upperBound
        return order.map { Array($0[range]) } ?? Array(range)
    }

    /// Items that came meanwhile, which stand last.
    mutating func append(_ indices: Range<Int>) {
        order?.append(contentsOf: indices)
        count += indices.count
    }

    /// Whether an item has been looked at, as far as that is certain.
    func hasPassed(_ index: Int) -> Bool { order == nil && index < next }
}
