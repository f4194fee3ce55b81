/// The percent-encoding of addresses from arguments, lists and redirects.
///
/// Encodes every byte that a path, query or fragment cannot hold (RFC 3986, section 3) and every `%` that begins no
/// escape. Existing escapes stay. Removes the dot segments of web addresses, including escaped ones, as browsers do.
package enum AddressEncoder {
    /// Returns the address as a request sends it.
    package static func encode(_ text: String) -> String {
        if isEncoded(text) { return text }
        // The bytes of a list that are no UTF-8 are sent as they are, as browsers do.
        let bytes = text.pathBytes
        let start = authorityEnd(bytes)
        let tail = encoded(bytes[start...])
        let head = String(decoding: bytes[..<start], as: UTF8.self)
        guard start > 0, isWeb(bytes) else { return head + tail }
        let end = tail.utf8.firstIndex { marks.contains($0) } ?? tail.endIndex
        return head + removingDotSegments(tail[..<end]) + tail[end...]
    }

    /// Returns whether `encode` would not change the text and the text has no control character.
    ///
    /// This check is fast, and true for most addresses.
    package static func isEncoded(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { isEncoded($0) } ?? isEncoded(text.utf8)
    }

    /// Returns the path without its dot segments (RFC 3986, section 5.2.4).
    package static func removingDotSegments(_ path: some StringProtocol) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        var isFolder = false
        for segment in segments.map({ Substring($0) }) {
            let dots = dotCount(of: segment)
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

    /// Returns the text with all escapes decoded, for display; bytes that are not UTF-8 become U+FFFD.
    package static func decode(_ text: some StringProtocol) -> String {
        String(decoding: bytes(of: text), as: UTF8.self)
    }

    /// Returns the bytes of the text with all escapes decoded.
    package static func bytes(of text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            if byte == percent, let escaped = escapedByte(rest) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Returns the byte that the two hexadecimal digits at the beginning stand for; nil without two digits.
    package static func escapedByte(_ digits: some Collection<UInt8>) -> UInt8? {
        let values = digits.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return values.count == 2 ? UInt8(values[0] << 4 | values[1]) : nil
    }

    /// Returns the text with every byte escaped that is no ASCII letter or digit.
    static func escaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber {
                bytes.append(byte)
            } else {
                appendEscape(of: byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the escape of a byte, with capital digits.
    package static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes += [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Appends a byte of a file's path, as an escape if a URL cannot hold it there.
    static func append(_ byte: UInt8, ofPath bytes: inout [UInt8]) {
        if isPlain(byte), byte != UInt8(ascii: "?"), byte != UInt8(ascii: ";") {
            bytes.append(byte)
        } else {
            appendEscape(of: byte, to: &bytes)
        }
    }

    /// Returns 1 for the segment `.` and 2 for `..`, escaped or not; 0 for every other segment.
    private static func dotCount(of segment: Substring) -> Int {
        let length = segment.utf8.count
        guard (1...6).contains(length), segment.utf8.first == dot || segment.utf8.first == percent else { return 0 }
        let plain = length > 2 ? segment.lowercased().replacing("%2e", with: ".") : String(segment)
        return plain == "." ? 1 : plain == ".." ? 2 : 0
    }
}

// MARK: - Bytes

extension AddressEncoder {
    private static func isEncoded(_ bytes: some Collection<UInt8>) -> Bool {
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
            if isMark || isPlain(byte) || byte == percent && escapedByte(bytes[(place + 1)...]) != nil {
                result.append(byte)
            } else {
                appendEscape(of: byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the index at which the path begins.
    ///
    /// The part before the path is not percent-encoded: host names have an encoding of their own.
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

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Returns whether a path, a query and a fragment may hold the byte: unreserved or one of `!$&'()*+,;=:@/?`.
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
