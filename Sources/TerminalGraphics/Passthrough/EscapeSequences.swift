/// The division of output into what a terminal must get in one piece (ECMA-48, section 5).
enum EscapeSequences {
    /// The pieces, which joined are `bytes` again: control strings, control sequences, other escape sequences, and the
    /// text between them; one that does not end is the last.
    ///
    /// Complexity: O(bytes).
    static func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = end(of: rest)
            pieces.append(rest[..<end])
            rest = rest[end...]
        }
        return pieces
    }

    static let escape: UInt8 = 0x1B

    private static func end(of rest: ArraySlice<UInt8>) -> Int {
        guard rest.first == escape else { return rest.firstIndex(of: escape) ?? rest.endIndex }
        let after = rest.dropFirst(2)
        switch rest.dropFirst().first {
        case UInt8(ascii: "["): return after.firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 } ?? rest.endIndex
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            return endOfString(after, mayEndInBell: false)
        case UInt8(ascii: "]"): return endOfString(after, mayEndInBell: true)
        case escape: return rest.startIndex + 1
        default:
            let final = rest.dropFirst().firstIndex { !(0x20...0x2F).contains($0) }
            return final.map { $0 + 1 } ?? rest.endIndex
        }
    }

    /// After the string terminator, `ESC \`, or the bell that xterm allows instead.
    private static func endOfString(_ content: ArraySlice<UInt8>, mayEndInBell: Bool) -> Int {
        var rest = content
        while let place = rest.firstIndex(where: { $0 == escape || mayEndInBell && $0 == 0x07 }) {
            if rest[place] == 0x07 { return place + 1 }
            if place + 1 < rest.endIndex, rest[place + 1] == UInt8(ascii: "\\") { return place + 2 }
            rest = rest[(place + 1)...]
        }
        return content.endIndex
    }
}
