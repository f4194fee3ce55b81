import AlcedoFilters

/// The order of the rows.
enum SortOrder: String, Sendable, CaseIterable {
    /// The order of the list.
    case list
    case name, place, state, size, pixels, type
    /// The modification time of local files, the newest first.
    case date

    /// The order's name on the screen.
    var title: String {
        switch self {
        case .place: "host or folder"
        case .size: "bytes"
        case .date: "file date"
        case .list, .name, .state, .pixels, .type: rawValue
        }
    }

    var next: SortOrder {
        let all = SortOrder.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
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
