import Glibc

extension StringProtocol where SubSequence == Substring {
    /// The text without the blanks around it.
    var trimmed: Substring {
        var bytes = self[...].utf8
        while let byte = bytes.first, byte.isBlank { bytes.removeFirst() }
        while let byte = bytes.last, byte.isBlank { bytes.removeLast() }
        return Substring(bytes)
    }
}

extension Substring {
    /// Returns the text without its first bytes, which must be whole characters.
    func dropFirst(bytes count: Int) -> Substring { Substring(utf8.dropFirst(count)) }
}

extension UInt8 {
    /// Whether the byte is a space, TAB, line feed, vertical tab, form feed or CR.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

extension ArraySlice<UInt8> {
    /// Returns the first index of a byte, found by `memchr`, which is faster than `firstIndex(of:)`.
    func fastIndex(of byte: UInt8) -> Int? {
        withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, let found = memchr(start, Int32(byte), buffer.count) else {
                return nil
            }
            return startIndex + (UnsafeRawPointer(found) - start)
        }
    }
}
