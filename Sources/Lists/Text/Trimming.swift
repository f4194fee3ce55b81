extension StringProtocol where SubSequence == Substring {
    /// The text without the spaces, TABs, form feeds and line ends around it.
    var trimmed: Substring {
        var bytes = self[...].utf8
        while let byte = bytes.first, byte.isBlank { bytes.removeFirst() }
        while let byte = bytes.last, byte.isBlank { bytes.removeLast() }
        return Substring(bytes)
    }
}

extension UInt8 {
    /// Space, TAB, line feed, vertical tab, form feed or CR.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
