import Foundation

/// The order of names in which numbers compare by value and letters regardless of case.
///
/// Names that differ only in case or leading zeros have a fixed order.
enum NaturalOrder {
    /// Returns whether the first name sorts before the second.
    static func precedes(_ left: String, _ right: String) -> Bool {
        switch left.compare(right, options: [.numeric, .caseInsensitive]) {
        case .orderedAscending: true
        case .orderedSame: left.utf8.lexicographicallyPrecedes(right.utf8)
        case .orderedDescending: false
        }
    }

    /// Returns the items sorted by their names.
    ///
    /// If all names are ASCII, each is turned into a key once, and keys compare byte by byte.
    static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        let names = items.map(name)
        guard names.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else {
            return items.sorted { precedes(name($0), name($1)) }
        }
        let keys = names.map(key)
        let order = items.indices.sorted { left, right in
            let (first, second) = (keys[left], keys[right])
            let difference = first.withUnsafeBufferPointer { one in
                second.withUnsafeBufferPointer { other -> Int32 in
                    guard let base = one.baseAddress, let otherBase = other.baseAddress else { return 0 }
                    return memcmp(base, otherBase, min(one.count, other.count))
                }
            }
            if difference != 0 || first.count != second.count {
                return difference < 0 || difference == 0 && first.count < second.count
            }
            return names[left].utf8.lexicographicallyPrecedes(names[right].utf8)
        }
        return order.map { items[$0] }
    }

    /// Returns bytes that compare like an ASCII name: small letters, and numbers as the count of their digits, 255 for
    /// each 255 of them, followed by the digits without leading zeros.
    static func key(of name: String) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(name.utf8.count + 4)
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
        for byte in name.utf8 {
            if byte.isDigit {
                digits.append(byte)
                continue
            }
            finishNumber()
            key.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        finishNumber()
        return key
    }
}
