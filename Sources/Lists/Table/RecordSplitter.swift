/// One record of a table.
struct TableRecord: Hashable {
    /// The line it begins on, from 1.
    var line: Int
    var content: Result<[String], ListLine.Fault>
    /// The fields that are no UTF-8, from 0; they were read as Windows-1252.
    var foreignFields: Set<Int> = []
    /// The fields that stood in quotes, from 0.
    var quotedFields: [Int] = []
}

/// Cuts bytes that arrive in pieces into the records of a table (RFC 4180), and holds never more than one.
///
/// Quoted fields may hold separators, line ends and doubled quotes. A quote that is lost costs its own line: what was
/// taken for the rest of its field is read again. Behind TAB, where tables mostly know no quotes, not even that: its line
/// is read as it stands. A record over the limit is not kept.
struct RecordSplitter {
    private enum State {
        case start, plain, quoted, afterQuote
    }

    /// In bytes.
    let limit: Int
    let separator: UInt8
    /// The line the reading is on.
    private(set) var line = 1
    private var first = 1
    private var state = State.start
    private var bytes: [UInt8] = []
    /// Where the fields end in the bytes.
    private var ends: [Int] = []
    /// Which fields began with a quote.
    private var quoted: [Int] = []
    private var fault: ListLine.Fault?
    /// The record as it came, while it may have to be read again.
    private var raw: [UInt8] = []
    private var readsQuotes = true

    init(separator: UInt8, limit: Int = 1 << 20) {
        self.separator = separator
        self.limit = limit
    }

    /// The records that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [TableRecord] {
        var records: [TableRecord] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let isEnd = byte == UInt8(ascii: "\n") && state != .quoted
            if byte == UInt8(ascii: "\n") { line += 1 }
            keepRaw([byte])
            if !isEnd { take(byte) }
            rest = rest.dropFirst()
            if !isEnd { keepRun(of: &rest) }
            if hasLostQuote(isEnd: isEnd) {
                rest = (giveUpLine(into: &records) + rest)[...]
            } else if isEnd {
                records.append(take())
            }
        }
        return records
    }

    /// Takes the bytes that are nothing but content all at once.
    private mutating func keepRun(of rest: inout ArraySlice<UInt8>) {
        guard state == .plain || state == .quoted else { return }
        let end = rest.firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == separator }
        let run = rest[..<(end ?? rest.endIndex)]
        bytes += run
        keepRaw(run)
        rest = rest[run.endIndex...]
        keepWithinLimit()
    }

    /// The last records, when they have no line end.
    mutating func finish() -> [TableRecord] {
        var records: [TableRecord] = []
        if state == .quoted { fault = .openQuote }
        while hasLostQuote(isEnd: true) {
            records += feed(giveUpLine(into: &records))
            if state == .quoted { fault = .openQuote }
        }
        return bytes.isEmpty && ends.isEmpty && fault == nil ? records : records + [take()]
    }

    private mutating func take(_ byte: UInt8) {
        switch (state, byte) {
        case (.start, UInt8(ascii: "\"")) where readsQuotes:
            quoted.append(ends.count)
            state = .quoted
        case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
        case (.quoted, _): keep(byte)
        case (.afterQuote, UInt8(ascii: "\"")):
            keep(byte)
            state = .quoted
        case (_, separator):
            ends.append(bytes.count)
            state = .start
            keepWithinLimit()
        case (.afterQuote, UInt8(ascii: "\r")): break
        case (.afterQuote, _): fault = fault ?? .afterQuote
        default:
            keep(byte)
            state = .plain
        }
    }

    private mutating func keep(_ byte: UInt8) {
        bytes.append(byte)
        keepWithinLimit()
    }

    /// Separators count: a line of commas only is as long as any other.
    private mutating func keepWithinLimit() {
        guard bytes.count + ends.count > limit else { return }
        fault = fault ?? (state == .quoted ? .openQuote : .recordTooLong)
        state = .plain
        bytes.removeAll()
        ends.removeAll()
        quoted.removeAll()
    }

    private mutating func take() -> TableRecord {
        defer { begin(at: line) }
        if state != .afterQuote, bytes.last == UInt8(ascii: "\r"), ends.last != bytes.count { bytes.removeLast() }
        ends.append(bytes.count)
        var foreign: Set<Int> = []
        let content = Result { () throws(ListLine.Fault) in try fields(&foreign) }
        return TableRecord(line: first, content: content, foreignFields: foreign, quotedFields: quoted)
    }

    private mutating func begin(at line: Int) {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        quoted.removeAll(keepingCapacity: true)
        raw.removeAll(keepingCapacity: true)
        fault = nil
        state = .start
        (first, self.line) = (line, line)
    }

    private func fields(_ foreign: inout Set<Int>) throws(ListLine.Fault) -> [String] {
        if let fault { throw fault }
        var fields: [String] = []
        var start = 0
        for end in ends {
            do {
                fields.append(try ListLine.text(bytes[start..<end]))
            } catch .notText {
                foreign.insert(fields.count)
                fields.append(Windows1252.text(of: bytes[start..<end]))
            }
            start = end
        }
        return fields
    }
}

// MARK: - Lost quotes

extension RecordSplitter {
    private mutating func keepRaw(_ bytes: some Collection<UInt8>) {
        guard fault != .recordTooLong else { return }
        raw += bytes
        if raw.count > 3 * limit { fault = .recordTooLong }
    }

    /// Whether the record's lines must be read again, each by itself.
    private func hasLostQuote(isEnd: Bool) -> Bool {
        // Within its first line there is nothing to look for, at every byte of a long one least of all.
        guard isEnd || line > first, fault == .openQuote || fault == .afterQuote && isEnd else { return false }
        let firstEnd = raw.firstIndex(of: UInt8(ascii: "\n"))
        return firstEnd.map { $0 + 1 < raw.count } == true || isEnd && separator == UInt8(ascii: "\t")
    }

    /// Ends the record with its first line; answers what came behind that.
    private mutating func giveUpLine(into records: inout [TableRecord]) -> [UInt8] {
        let head = raw.prefix { $0 != UInt8(ascii: "\n") }
        let tail = Array(raw.dropFirst(head.count + 1))
        let (first, fault) = (first, fault ?? .openQuote)
        begin(at: first)
        if separator == UInt8(ascii: "\t") {
            readsQuotes = false
            head.forEach { take($0) }
            records.append(take())
            readsQuotes = true
        } else {
            records.append(TableRecord(line: first, content: .failure(fault)))
        }
        begin(at: first + 1)
        return tail
    }
}
