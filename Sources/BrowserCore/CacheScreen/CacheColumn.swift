/// A column of the inspection table.
enum CacheColumn: CaseIterable {
    case kind, host, name, size, pixels, hits, used, age, expires, processor

    /// A column in its place.
    struct Slot: Equatable {
        let column: CacheColumn
        let start: Int
        let width: Int
    }

    /// Where the first column after the signs begins, and the gap between two.
    static let firstColumn = 9
    static let gap = 2

    var title: String {
        switch self {
        case .kind: "kind"
        case .host: "host"
        case .name: "name"
        case .size: "size"
        case .pixels: "pixels"
        case .hits: "hits"
        case .used: "used"
        case .age: "age"
        case .expires: "expires"
        case .processor: "processor"
        }
    }

    /// The order that sorts by this column.
    var order: CacheQuery.Order? {
        switch self {
        case .host: .host
        case .size: .size
        case .hits: .hits
        case .used: .used
        case .age: .age
        case .expires: .expiry
        case .kind, .name, .pixels, .processor: nil
        }
    }

    var isNumber: Bool {
        switch self {
        case .size, .pixels, .hits, .used, .age: true
        case .kind, .host, .name, .expires, .processor: false
        }
    }

    /// The least width; the name takes what is left, up to a bound, then the processor.
    private var width: Int {
        switch self {
        case .kind: 9
        case .host: 18
        case .name: 18
        case .size: Units.bytesWidth
        case .pixels: 11
        case .hits: 5
        case .used, .age: Units.durationWidth
        case .expires: 9
        case .processor: 12
        }
    }

    /// The columns that a screen has room for, the least needed dropped first.
    static func slots(columns: Int) -> [Slot] {
        let droppable: [CacheColumn] = [.age, .processor, .host, .pixels, .kind, .hits, .expires, .used, .size]
        var kept = allCases
        for column in droppable where total(kept) > columns - firstColumn - 1 { kept.removeAll { $0 == column } }
        return place(kept, spare: max(0, columns - firstColumn - 1 - total(kept)), columns: columns)
    }

    private static func place(_ kept: [CacheColumn], spare: Int, columns: Int) -> [Slot] {
        let toName = kept.contains(.processor) ? min(20, spare / 2) : spare
        var start = firstColumn
        return kept.map { column in
            let extra = column == .name ? toName : (column == .processor ? spare - toName : 0)
            defer { start += column.width + extra + gap }
            return Slot(column: column, start: start, width: min(column.width + extra, max(0, columns - start - 1)))
        }
    }

    private static func total(_ kept: [CacheColumn]) -> Int {
        kept.reduce(0) { $0 + $1.width } + gap * max(0, kept.count - 1)
    }
}
