/// The order of names in which numbers compare by value and letters regardless of case.
///
/// Names that differ only in case or leading zeros have a fixed order.
enum NaturalOrder {
    /// Returns whether the first name sorts before the second.
    static func precedes(_ left: String, _ right: String) -> Bool {
        precedes((key(of: left), left), (key(of: right), right))
    }

    /// Returns the items sorted by their names.
    static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        let names = items.map { (key: key(of: name($0)), name: name($0)) }
        return items.indices.sorted { precedes(names[$0], names[$1]) }.map { items[$0] }
    }

    private static func precedes(_ one: (key: String, name: String), _ other: (key: String, name: String)) -> Bool {
        one.key == other.key ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8) : one.key < other.key
    }

    /// Returns a text that compares like a name: small letters, and numbers as `0`, the count of their digits, DEL for
    /// each 127 of them, followed by the digits without leading zeros.
    private static func key(of name: String) -> String {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let letters = isASCII ? name.utf8 : name.lowercased().utf8
        var key: [UInt8] = []
        key.reserveCapacity(letters.count + 4)
        var digits: [UInt8] = []
        func finishNumber() {
            guard !digits.isEmpty else { return }
            let value = digits.drop { $0 == 0x30 }
            key.append(0x30)
            key += repeatElement(127, count: value.count / 127)
            key.append(UInt8(value.count % 127))
            key += value
            digits.removeAll(keepingCapacity: true)
        }
        for byte in letters {
            if byte.isDigit {
                digits.append(byte)
                continue
            }
            finishNumber()
            key.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        finishNumber()
        return String(decoding: key, as: UTF8.self)
    }
}
