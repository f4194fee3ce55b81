import AlcedoSupport
import Glibc

/// A line of a list without its line end, or an element of a JSON list.
struct ListLine: Hashable {
    /// Why a line, a record or an element cannot be read; the raw value is the message.
    enum ReadError: String, Error, Hashable {
        case lineTooLong = "the line is longer than 64 KiB"
        case recordTooLong = "the record is longer than 1 MiB"
        case elementTooLong = "the JSON value is longer than 4 MiB; to extract a list in it: jq -c '.NAME[]'"
        case notUTF8 = "the line is not valid UTF-8"
        case zeroByte = "the line contains a NUL byte"
        case openQuote = "a quoted field has no closing quote"
        case outsideArray = "there is text outside of the JSON array"
        case afterQuote = "there is text between a closing quote and the next separator"
    }

    /// The number of the line on which it begins, from 1.
    var number: Int
    var content: Result<String, ReadError>

    /// Returns the bytes of a plain line as text; those that are no UTF-8 may be of a path.
    static func pathText(_ bytes: ArraySlice<UInt8>) throws(ReadError) -> String {
        if bytes.contains(0) { throw .zeroByte }
        return String(pathBytes: bytes)
    }

    /// Returns the bytes as text.
    static func text(_ bytes: ArraySlice<UInt8>) throws(ReadError) -> String {
        if bytes.contains(0) { throw .zeroByte }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}

/// Splits bytes into lines; holds one line at most.
///
/// Lines end in LF, as ``LineEndStream`` writes them. A line over the limit is counted, but discarded.
struct LineSplitter {
    /// The maximum length of a line in bytes, without the line end.
    let limit: Int
    /// The number of the last complete line, from 1.
    private(set) var number = 0
    private var pending: [UInt8] = []
    private var isTooLong = false

    /// Whether the bytes so far end with a line end.
    var isBetweenLines: Bool { pending.isEmpty && !isTooLong }

    /// Whether a line has begun, with neither a blank nor the mark of a comment.
    var beginsWithText: Bool { pending.first.map { !$0.isBlank && $0 != UInt8(ascii: "#") } ?? false }

    init(limit: Int = 64 * 1024) {
        self.limit = limit
    }

    /// Returns the lines that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [ListLine] {
        var lines: [ListLine] = []
        var rest = bytes[...]
        while let end = rest.fastIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            lines.append(finishLine())
            rest = rest[(end + 1)...]
        }
        append(rest)
        return lines
    }

    /// Returns the last line if it has no line end.
    mutating func finish() -> ListLine? {
        isBetweenLines ? nil : finishLine()
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        if isTooLong || pending.count + bytes.count > limit {
            isTooLong = true
            pending.removeAll()
        } else {
            pending.append(contentsOf: bytes)
        }
    }

    private mutating func finishLine() -> ListLine {
        defer {
            pending.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        number += 1
        return ListLine(number: number, content: Result { () throws(ListLine.ReadError) in try content() })
    }

    private func content() throws(ListLine.ReadError) -> String {
        if isTooLong { throw .lineTooLong }
        return try ListLine.pathText(pending[...])
    }
}

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
