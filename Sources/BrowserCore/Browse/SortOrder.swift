import Filters
import Raster

/// The order of the rows.
enum SortOrder: String, Sendable, CaseIterable {
    /// The order of the list.
    case list
    case name, place, state, size, pixels, type

    /// The order's name on the screen.
    var title: String {
        switch self {
        case .place: "host or folder"
        case .size: "bytes"
        case .list, .name, .state, .pixels, .type: rawValue
        }
    }

    var next: SortOrder {
        let all = SortOrder.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// A stable sort of items by properties that are read when it begins.
///
/// Complexity: O(n log n) comparisons.
struct RowSorting {
    let items: ItemTable
    let statuses: StatusTable
    let facts: FactTable

    /// Returns the indices in order; nil for the list's own order.
    func order(by order: SortOrder) -> [Int]? {
        switch order {
        case .list: nil
        case .name:
            sorted { one, other in
                items.withName(at: one) { name in items.withName(at: other) { Self.precedes(name, $0) } }
            }
        case .place: sorted { Self.precedes(items.place(at: $0), items.place(at: $1)) }
        case .state: sorted { rank($0) < rank($1) }
        case .size: sorted { bytes($0) > bytes($1) }
        case .pixels: sorted { pixels($0) > pixels($1) }
        case .type: sorted { type($0) < type($1) }
        }
    }

    private func sorted(_ precedes: (Int, Int) -> Bool) -> [Int] {
        // The standard library's sort keeps the order of equal elements.
        items.indices.sorted(by: precedes)
    }

    /// Returns the rank of an item's status; what needs attention comes first.
    private func rank(_ index: Int) -> Int {
        switch statuses.kind(of: index) {
        case .failed: 0
        case .retrying, .parked: 1
        case .loading, .connecting: 2
        case .waiting: 3
        case .onDisk: 4
        case .inMemory: 5
        case .duplicate: 6
        }
    }

    private func pixels(_ index: Int) -> Int { facts[index].size.map { $0.width * $0.height } ?? -1 }

    private func type(_ index: Int) -> String { facts.format(of: index, in: items)?.rawValue ?? "\u{10FFFF}" }

    private func bytes(_ index: Int) -> Int {
        switch statuses.status(of: index, at: 0) {
        case .onDisk(let bytes), .inMemory(let bytes): bytes
        case .loading(_, let total?, _): total
        default: -1
        }
    }

    /// Whether a text precedes another, ignoring the case of ASCII letters and comparing numbers by value.
    static func precedes(_ one: String, _ other: String) -> Bool {
        var (one, other) = (one, other)
        return one.withUTF8 { left in other.withUTF8 { precedes(left, $0) } }
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    private static func precedes(_ one: Bytes, _ other: Bytes) -> Bool {
        var (left, right) = (one[...], other[...])
        while let a = left.first, let b = right.first {
            if isDigit(a), isDigit(b) {
                let (first, second) = (removeNumber(&left), removeNumber(&right))
                if first.count != second.count { return first.count < second.count }
                if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
            } else {
                let (x, y) = (a.asciiLowercased, b.asciiLowercased)
                if x != y { return x < y }
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.isEmpty && !right.isEmpty
    }

    /// Removes the digits at the front and returns them without leading zeros.
    private static func removeNumber(_ text: inout Slice<Bytes>) -> Slice<Bytes> {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == 0x30 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
