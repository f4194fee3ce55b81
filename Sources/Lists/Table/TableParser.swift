/// Reads a table (CSV, TSV) whose header names its columns as ``ListField`` does; other columns mean nothing.
///
/// Where no name is that of an address, or there is no header, the addresses' column is known by what stands in it.
/// An empty cell says nothing. Several texts in a cell stand between `|` or in lines, headers in lines. Titles and tags
/// that are no UTF-8 are read as Windows-1252.
struct TableParser: ListParser {
    private var splitter: RecordSplitter
    private let shape: TableShape
    private let base: ListBase
    private var header: TableHeader?

    init(_ shape: TableShape, base: ListBase) {
        splitter = RecordSplitter(separator: shape.separator)
        self.shape = shape
        self.base = base
    }

    var line: Int { splitter.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for record in splitter.feed(bytes) { read(record, into: &events) }
    }

    mutating func finish(isCut: Bool, into events: inout [ListEvent]) {
        if isCut { return }
        for record in splitter.finish() { read(record, into: &events) }
    }

    private mutating func read(_ record: TableRecord, into events: inout [ListEvent]) {
        switch record.content {
        case .failure(let fault): events.append(.rejected(line: record.line, reason: fault.rawValue))
        case .success(let cells):
            if cells.allSatisfy({ $0.trimmed.isEmpty }) { return }
            if let header { return read(cells, header, record, into: &events) }
            // Comments may stand above the first record, never below: there a cell may begin with anything.
            if cells[0].utf8.first != UInt8(ascii: "#") { begin(cells, record, into: &events) }
        }
    }

    private mutating func begin(_ cells: [String], _ record: TableRecord, into events: inout [ListEvent]) {
        let header =
            shape.hasHeader
            ? TableHeader(cells, address: shape.address) : TableHeader(columns: cells.count, address: shape.address)
        self.header = header
        if !shape.hasHeader { read(cells, header, record, into: &events) }
    }

    private func read(
        _ cells: [String], _ header: TableHeader, _ record: TableRecord, into events: inout [ListEvent]
    ) {
        guard cells.count <= header.columns.count else {
            let reason = "\(cells.count) fields where the header has \(header.columns.count)"
            events.append(.rejected(line: record.line, reason: reason))
            return
        }
        var reading = EntryReading(line: record.line, base: base)
        for (column, (field, cell)) in zip(header.columns, cells).enumerated() {
            guard let field, !cell.trimmed.isEmpty else { continue }
            if record.foreignFields.contains(column), field != .title, field != .tags {
                reading.note(FieldFault("\(field.rawValue) is not valid UTF-8"), of: field)
            } else {
                set(field, to: cell, isQuoted: record.quotedFields.contains(column), in: &reading)
            }
        }
        reading.finish(into: &events)
    }

    /// An address without quotes is read as in plain text.
    private func set(_ field: ListField, to cell: String, isQuoted: Bool, in reading: inout EntryReading) {
        guard !isQuoted, field == .url || field == .lowData, !PlainAddress.isBare(cell[...]) else {
            return reading.set(field, to: .text(cell))
        }
        do {
            reading.set(field, to: .text(String(try base.plainAddress(in: cell.trimmed))))
        } catch {
            reading.note(FieldFault(error.description, of: field), of: field)
        }
    }
}
