/// Parser of a table (CSV, TSV) whose header names the columns as ``ListField`` does.
///
/// Other columns are ignored.
///
/// An empty cell sets nothing. Cells of several texts have `|` or line ends between them, those of headers line ends.
/// Titles and tags that are not UTF-8 are read as Windows-1252.
struct TableParser: ListParser {
    private var splitter: RecordSplitter
    private let shape: TableShape
    private let base: ListBase
    /// The field of each column, once the first record is read.
    private var columns: [ListField?]?

    init(_ shape: TableShape, base: ListBase) {
        splitter = RecordSplitter(separator: shape.separator)
        self.shape = shape
        self.base = base
    }

    var line: Int { splitter.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for record in splitter.feed(bytes) { read(record, into: &events) }
    }

    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {
        if isTruncated { return }
        for record in splitter.finish() { read(record, into: &events) }
    }

    private mutating func read(_ record: TableRecord, into events: inout [ListEvent]) {
        switch record.content {
        case .failure(let error): events.append(.rejected(line: record.line, reason: error.rawValue))
        case .success(let cells):
            if cells.allSatisfy({ $0.trimmed.isEmpty }) { return }
            if let columns { return read(cells, columns, record, into: &events) }
            // Comments may precede the first record only: below it, a cell may begin with any character.
            if cells[0].utf8.first == UInt8(ascii: "#") { return }
            let columns = columns(below: cells)
            self.columns = columns
            if !shape.hasHeader { read(cells, columns, record, into: &events) }
        }
    }

    private func columns(below first: [String]) -> [ListField?] {
        let address = shape.address ?? ListField.addressIndex(in: first)
        return first.enumerated().map { index, name in
            if index == address { return .url }
            let field = shape.hasHeader ? ListField(name: name.trimmed) : nil
            return field == .url ? nil : field
        }
    }

    private func read(
        _ cells: [String], _ columns: [ListField?], _ record: TableRecord, into events: inout [ListEvent]
    ) {
        guard cells.count <= columns.count else {
            let reason = "\(cells.count) fields where the header has \(columns.count)"
            events.append(.rejected(line: record.line, reason: reason))
            return
        }
        var builder = EntryBuilder(line: record.line, base: base)
        for (index, (field, cell)) in zip(columns, cells).enumerated() {
            guard let field, !cell.trimmed.isEmpty else { continue }
            if record.windows1252Fields.contains(index), field != .title, field != .tags {
                builder.report(FieldError("\(field.rawValue) is not valid UTF-8"), for: field)
            } else {
                set(field, to: cell, isQuoted: record.quotedFields.contains(index), in: &builder)
            }
        }
        builder.finish(into: &events)
    }

    /// Sets a field.
    ///
    /// An address without quotes follows the rules of plain text.
    private func set(_ field: ListField, to cell: String, isQuoted: Bool, in builder: inout EntryBuilder) {
        guard !isQuoted, field == .url || field == .lowData, !PlainAddress.isBare(cell[...]) else {
            return builder.set(field, to: .text(cell))
        }
        do {
            builder.set(field, to: .text(String(try base.plainAddress(in: cell.trimmed))))
        } catch {
            builder.report(FieldError(error, of: field), for: field)
        }
    }
}
