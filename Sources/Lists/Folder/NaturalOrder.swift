import Glibc

/// The order of names in which numbers compare by value and letters regardless of case, else by the bytes of UTF-8.
///
/// Names that differ only in case or leading zeros have a fixed order.
enum NaturalOrder {
    /// Returns whether the first name sorts before the second.
    static func precedes(_ left: String, _ right: String) -> Bool { precedes(key(of: left), key(of: right)) }

    /// Returns the items sorted by their names.
    static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        let keys = items.map { key(of: name($0)) }
        return items.indices.sorted { precedes(keys[$0], keys[$1]) }.map { items[$0] }
    }

    private static func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                // A key is never empty.
                guard let base = one.baseAddress, let otherBase = other.baseAddress else { return false }
                let difference = memcmp(base, otherBase, min(one.count, other.count))
                return difference == 0 ? one.count < other.count : difference < 0
            }
        }
    }

    /// Returns bytes that compare like a name, with the name itself at their end.
    ///
    /// Letters are small, and a number is `0`, the count of its digits, 255 for each 255 of them, and the digits without
    /// leading zeros.
    private static func key(of name: String) -> [UInt8] {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let letters = isASCII ? name.utf8 : name.lowercased().utf8
        var key: [UInt8] = []
        key.reserveCapacity(2 * letters.count + 5)
        var digits: [UInt8] = []
        func finishNumber() {
            guard !digits.isEmpty else { return }
            let value = digits.drop { $0 == 0x30 }
            key.append(0x30)
            key += repeatElement(255, count: value.count / 255)
            key.append(UInt8(value.count % 255))
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
        key.append(0)
        key += name.utf8
        return key
    }
}
