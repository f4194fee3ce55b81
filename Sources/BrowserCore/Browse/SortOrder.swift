import AlcedoFilters

/// The order of the rows.
enum SortOrder: String, Sendable, CaseIterable {
    /// The order of the list.
    case list
    case name, place, state, size, pixels, type
    /// The time at which the picture was taken, else the modification time of a local file; the newest first.
    case date
    /// An order by chance, another one each time.
    case shuffle

    /// The order's name on the screen.
    var title: String {
        switch self {
        case .place: "host or folder"
        case .list: "as listed"
        case .name, .state, .size, .pixels, .type, .date, .shuffle: rawValue
        }
    }

    /// The key in the sheet of orders.
    var key: Character {
        switch self {
        case .list: "l"
        case .name: "n"
        case .place: "h"
        case .state: "a"
        case .size: "s"
        case .pixels: "p"
        case .type: "t"
        case .date: "d"
        case .shuffle: "r"
        }
    }

    /// The words for the first rows, in the usual direction and in the other one; nil for orders without a direction.
    var firsts: (usual: String, other: String)? {
        switch self {
        case .list, .shuffle: nil
        case .name, .place, .type: ("a first", "z first")
        case .state: ("failed first", "cached first")
        case .size: ("largest first", "smallest first")
        case .pixels: ("most first", "fewest first")
        case .date: ("newest first", "oldest first")
        }
    }

    /// Whether the usual direction is from large to small.
    var descends: Bool { [.size, .pixels, .date].contains(self) }
}

extension SortOrder {
    /// Whether a text precedes another, ignoring the case of ASCII letters and comparing numbers by value.
    static func precedes(_ one: String, _ other: String) -> Bool {
        var (one, other) = (one, other)
        return one.withUTF8 { left in other.withUTF8 { precedes(left, $0) } }
    }

    typealias Bytes = UnsafeBufferPointer<UInt8>

    static func precedes(_ one: Bytes, _ other: Bytes) -> Bool {
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
