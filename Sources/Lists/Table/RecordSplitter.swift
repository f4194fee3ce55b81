/// One record of a table.
struct TableRecord: Hashable {
    /// The line it begins on, from 1.
    var line: Int
    var content: Result<[String], ListLine.Fault>
}

/// Cuts bytes that arrive in pieces into the records of a table (RFC 4180), and holds never more than one.
///
/// Quoted fields may hold separators, line ends and doubled quotes. A record over the limit is not kept; reading
/// goes on with the next line, whatever quotes are open, so that one lost quote costs no more than the limit.
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
    private var fault: ListLine.Fault?

    init(separator: UInt8, limit: Int = 64 * 1024) {
        self.separator = separator
        self.limit = limit
    }

    /// The records that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [TableRecord] {
        var records: [TableRecord] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: "\n"), state != .quoted { records.append(take()) } else { take(byte) }
            rest = rest.dropFirst()
            keepRun(of: &rest)
        }
        return records
    }

    /// Takes the bytes that are nothing but content all at once.
    private mutating func keepRun(of rest: inout ArraySlice<UInt8>) {
        guard state == .plain || state == .quoted else { return }
        let end = rest.firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == separator }
        bytes += rest[..<(end ?? rest.endIndex)]
        rest = rest[(end ?? rest.endIndex)...]
        keepWithinLimit()
    }

    /// The last record, when it has no line end.
    mutating func finish() -> TableRecord? {
        if state == .quoted { fault = .openQuote }
        return bytes.isEmpty && ends.isEmpty && fault == nil ? nil : take()
    }

    private mutating func take(_ byte: UInt8) {
        switch (state, byte) {
        case (.start, UInt8(ascii: "\"")): state = .quoted
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
        fault = fault ?? (state == .quoted ? .openQuote : .tooLong)
        state = .plain
        bytes.removeAll()
        ends.removeAll()
    }

    private mutating func take() -> TableRecord {
        defer {
            bytes.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
            fault = nil
            state = .start
            first = line
        }
        if state != .afterQuote, bytes.last == UInt8(ascii: "\r"), ends.last != bytes.count { bytes.removeLast() }
        ends.append(bytes.count)
        return TableRecord(line: first, content: Result { () throws(ListLine.Fault) in try fields() })
    }

    private func fields() throws(ListLine.Fault) -> [String] {
        if let fault { throw fault }
        var fields: [String] = []
        var start = 0
        for end in ends {
            fields.append(try ListLine.text(bytes[start..<end]))
            start = end
        }
        return fields
    }
}
