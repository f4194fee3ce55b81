/// The one rule by which an address becomes what is sent, whether an argument, a list or a redirect names it.
///
/// What a path, a query or a fragment cannot hold (RFC 3986, section 3) is percent-encoded, and so is a `%` that begins
/// no escape; escapes stay as they are. The dot segments of a web address are removed, escaped ones too, as browsers do.
public enum AddressRule {
    /// The address as it is sent; the same text where nothing is to be changed.
    public static func sent(_ text: String) -> String {
        if isSent(text) { return text }
        let bytes = Array(text.utf8)
        let start = authorityEnd(bytes)
        let tail = encoded(bytes[start...])
        let sent = String(decoding: bytes[..<start], as: UTF8.self)
        guard start > 0, isWeb(bytes) else { return sent + tail }
        let end = tail.utf8.firstIndex { marks.contains($0) } ?? tail.endIndex
        return sent + withoutDots(tail[..<end]) + tail[end...]
    }

    /// Whether nothing in a text needs a change, nor is a control character: true of most addresses, and fast.
    public static func isSent(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { isAsSent($0) } ?? isAsSent(text.utf8)
    }

    /// A path without its dot segments (RFC 3986, section 5.2.4).
    public static func withoutDots(_ path: some StringProtocol) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        var isFolder = false
        for segment in segments.map({ Substring($0) }) {
            let dots = dots(of: segment)
            isFolder = dots > 0
            switch dots {
            case 0: kept.append(segment)
            case 2 where kept.count > 1: kept.removeLast()
            default: break
            }
        }
        if isFolder { kept.append("") }
        return kept.joined(separator: "/")
    }

    /// A part of an address without escapes, whatever bytes they stand for; as people are shown it.
    public static func unescaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            if byte == percent, digits.count == 2 {
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// 1 or 2 for a segment of so many dots, escaped or not; 0 for every other.
    private static func dots(of segment: Substring) -> Int {
        let length = segment.utf8.count
        guard (1...6).contains(length), segment.utf8.first == dot || segment.utf8.first == percent else { return 0 }
        let plain = length > 2 ? segment.lowercased().replacing("%2e", with: ".") : String(segment)
        return plain == "." ? 1 : plain == ".." ? 2 : 0
    }
}

// MARK: - Bytes

extension AddressRule {
    private static func isAsSent(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = bytes.makeIterator()
        var (last, hasFragment): (UInt8, Bool) = (0, false)
        while let byte = rest.next() {
            if byte == percent {
                guard let high = rest.next(), let low = rest.next(), isHexDigit(high), isHexDigit(low) else {
                    return false
                }
                if last == slash, high == UInt8(ascii: "2"), low | 0x20 == UInt8(ascii: "e") { return false }
            } else if byte == hash {
                if hasFragment { return false }
                hasFragment = true
            } else if !isPlain(byte) || byte == dot && last == slash {
                return false
            }
            last = byte
        }
        return true
    }

    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        var hasFragment = false
        var result: [UInt8] = []
        for place in bytes.indices {
            let byte = bytes[place]
            let isMark = byte == hash && !hasFragment
            if isMark { hasFragment = true }
            if isMark || isPlain(byte) || byte == percent && isEscape(bytes[place...]) {
                result.append(byte)
            } else {
                result += [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Where the path begins; before it nothing is encoded, as hosts have a way of their own for what is not ASCII.
    private static func authorityEnd(_ bytes: [UInt8]) -> Int {
        guard let first = bytes.firstIndex(of: slash), bytes[first...].starts(with: "//".utf8),
            first == 0 || bytes[first - 1] == UInt8(ascii: ":"), !bytes[..<first].contains(where: marks.contains)
        else { return 0 }
        return bytes[(first + 2)...].firstIndex { $0 == slash || marks.contains($0) } ?? bytes.endIndex
    }

    private static func isWeb(_ bytes: [UInt8]) -> Bool {
        let scheme = String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }.prefix(6), as: UTF8.self).lowercased()
        return scheme == "http" || scheme == "https"
    }

    private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        let tail = bytes.dropFirst().prefix(2)
        return tail.count == 2 && tail.allSatisfy(isHexDigit)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Whether a path, a query and a fragment may hold the byte: what is unreserved, `!$&'()*+,;=:@/?`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 64 ? low : high) &>> UInt64(byte & 0x3F) & 1 != 0
    }

    private static let percent = UInt8(ascii: "%")
    private static let hash = UInt8(ascii: "#")
    private static let dot = UInt8(ascii: ".")
    private static let slash = UInt8(ascii: "/")
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let marks = Set("?#".utf8)
    /// One bit for each plain byte below 64: `!$&'()*+,-./0123456789:;=?`.
    private static let low: UInt64 = 0xAFFF_FFD2_0000_0000
    /// One bit for each plain byte from 64: `@`, letters, `_` and `~`.
    private static let high: UInt64 = 0x47FF_FFFE_87FF_FFFF
}
