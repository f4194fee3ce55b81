/// A record of a table.
struct TableRecord: Hashable {
    /// The line on which it begins, from 1.
    var line: Int
    var content: Result<[String], ListLine.ReadError>
    /// The indices of the fields that are not UTF-8 and were read as Windows-1252.
    var windows1252Fields: Set<Int> = []
    /// The indices of the quoted fields.
    var quotedFields: [Int] = []
}

/// Splits bytes into the records of a table (RFC 4180); holds one record at most.
///
/// Quoted fields may hold separators, line ends and doubled quotes. A lost quote costs only its own line: the lines
/// that were taken for the rest of its field are read again. In tables with TABs, which mostly have no quotes, it does
/// not even cost that: its line is read without quoting. A record over the limit is discarded.
struct RecordSplitter {
    private enum State {
        case fieldStart, plain, quoted, afterQuote
    }

    /// The maximum length of a record in bytes.
    let limit: Int
    let separator: UInt8
    /// The number of the current line.
    private(set) var line = 1
    private var firstLine = 1
    private var state = State.fieldStart
    private var bytes: [UInt8] = []
    /// The ends of the fields in `bytes`.
    private var ends: [Int] = []
    private var quotedFields: [Int] = []
    private var error: ListLine.ReadError?
    /// The unparsed bytes of the record, which may have to be read again.
    private var raw: [UInt8] = []
    private var allowsQuotes = true

    init(separator: UInt8, limit: Int = 1 << 20) {
        self.separator = separator
        self.limit = limit
    }

    /// Returns the records that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [TableRecord] {
        var records: [TableRecord] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let isEnd = byte == UInt8(ascii: "\n") && state != .quoted
            if byte == UInt8(ascii: "\n") { line += 1 }
            appendRaw([byte])
            if !isEnd { consume(byte) }
            rest = rest.dropFirst()
            if !isEnd { consumeRun(of: &rest) }
            if hasLostQuote(isEnd: isEnd) {
                rest = (abandonLine(into: &records) + rest)[...]
            } else if isEnd {
                records.append(finishRecord())
            }
        }
        return records
    }

    /// Consumes the bytes up to the next special character at once.
    private mutating func consumeRun(of rest: inout ArraySlice<UInt8>) {
        guard state == .plain || state == .quoted else { return }
        let end = rest.firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == separator }
        let run = rest[..<(end ?? rest.endIndex)]
        bytes += run
        appendRaw(run)
        rest = rest[run.endIndex...]
        enforceLimit()
    }

    /// Returns the records at the end without a line end.
    mutating func finish() -> [TableRecord] {
        var records: [TableRecord] = []
        if state == .quoted { error = .openQuote }
        while hasLostQuote(isEnd: true) {
            records += feed(abandonLine(into: &records))
            if state == .quoted { error = .openQuote }
        }
        return bytes.isEmpty && ends.isEmpty && error == nil ? records : records + [finishRecord()]
    }

    private mutating func consume(_ byte: UInt8) {
        switch (state, byte) {
        case (.fieldStart, UInt8(ascii: "\"")) where allowsQuotes:
            quotedFields.append(ends.count)
            state = .quoted
        case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
        case (.quoted, _): append(byte)
        case (.afterQuote, UInt8(ascii: "\"")):
            append(byte)
            state = .quoted
        case (_, separator):
            ends.append(bytes.count)
            state = .fieldStart
            enforceLimit()
        case (.afterQuote, UInt8(ascii: "\r")): break
        case (.afterQuote, _): error = error ?? .afterQuote
        default:
            append(byte)
            state = .plain
        }
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        enforceLimit()
    }

    /// Discards a record over the limit.
    ///
    /// Separators count, as a line may consist of nothing else.
    private mutating func enforceLimit() {
        guard bytes.count + ends.count > limit else { return }
        error = error ?? (state == .quoted ? .openQuote : .recordTooLong)
        state = .plain
        bytes.removeAll()
        ends.removeAll()
        quotedFields.removeAll()
    }

    private mutating func finishRecord() -> TableRecord {
        defer { beginRecord(at: line) }
        if state != .afterQuote, bytes.last == UInt8(ascii: "\r"), ends.last != bytes.count { bytes.removeLast() }
        ends.append(bytes.count)
        var windows1252Fields: Set<Int> = []
        let content = Result { () throws(ListLine.ReadError) in try fields(&windows1252Fields) }
        return TableRecord(
            line: firstLine, content: content, windows1252Fields: windows1252Fields, quotedFields: quotedFields)
    }

    private mutating func beginRecord(at line: Int) {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        quotedFields.removeAll(keepingCapacity: true)
        raw.removeAll(keepingCapacity: true)
        error = nil
        state = .fieldStart
        (firstLine, self.line) = (line, line)
    }

    private func fields(_ windows1252Fields: inout Set<Int>) throws(ListLine.ReadError) -> [String] {
        if let error { throw error }
        var fields: [String] = []
        var start = 0
        for end in ends {
            do {
                fields.append(try ListLine.text(bytes[start..<end]))
            } catch .notUTF8 {
                windows1252Fields.insert(fields.count)
                fields.append(Self.windows1252(bytes[start..<end]))
            }
            start = end
        }
        return fields
    }

    /// Decodes Windows-1252 (WHATWG Encoding), in which western European office programs write tables.
    ///
    /// Bytes without a meaning become control characters.
    private static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = bytes.map { (0x80...0x9F).contains($0) ? windows1252Scalars[Int($0) - 0x80] : .init($0) }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The characters of the bytes 0x80 to 0x9F; all others are those of ISO 8859-1.
    private static let windows1252Scalars = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

// MARK: - Lost quotes

extension RecordSplitter {
    private mutating func appendRaw(_ bytes: some Collection<UInt8>) {
        guard error != .recordTooLong else { return }
        raw += bytes
        if raw.count > 3 * limit { error = .recordTooLong }
    }

    /// Returns whether the lines of the record must be read again, each by itself.
    private func hasLostQuote(isEnd: Bool) -> Bool {
        // A record of one line so far has no line to read again. This check keeps long lines from quadratic time.
        guard isEnd || line > firstLine, error == .openQuote || error == .afterQuote && isEnd else { return false }
        let lineEnd = raw.firstIndex(of: UInt8(ascii: "\n"))
        return lineEnd.map { $0 + 1 < raw.count } == true || isEnd && separator == UInt8(ascii: "\t")
    }

    /// Ends the record with its first line; returns the bytes behind that line.
    private mutating func abandonLine(into records: inout [TableRecord]) -> [UInt8] {
        let head = raw.prefix { $0 != UInt8(ascii: "\n") }
        let tail = Array(raw.dropFirst(head.count + 1))
        let (number, error) = (firstLine, error ?? .openQuote)
        beginRecord(at: number)
        if separator == UInt8(ascii: "\t") {
            allowsQuotes = false
            head.forEach { consume($0) }
            records.append(finishRecord())
            allowsQuotes = true
        } else {
            records.append(TableRecord(line: number, content: .failure(error)))
        }
        beginRecord(at: number + 1)
        return tail
    }
}
