import FoundationEssentials

/// Parser of a table (CSV, TSV) whose header names the columns as ``ListField`` does.
///
/// Other columns are ignored but for the wanted ones.
///
/// An empty cell sets nothing. In a cell of several texts, `|` or line ends separate them; headers are separated by
/// line ends. Titles and tags that are not UTF-8 are read as Windows-1252.
struct TableParser: ListParser {
    private var splitter: RecordSplitter
    private let shape: TableShape
    private let base: ListBase
    private let choice: ColumnChoice
    /// The columns, once the first record is read.
    private var columns: [Column]?

    /// The meaning of a column, and its name if entries get it.
    private struct Column {
        var field: ListField?
        var name: String?
    }

    init(_ shape: TableShape, base: ListBase, columns: ColumnChoice = ColumnChoice()) {
        choice = columns
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
            for name in choice.missing(in: shape.hasHeader ? cells.map { String($0.trimmed) } : []) {
                events.append(.warning(line: record.line, reason: "no column '\(name)'"))
            }
            if !shape.hasHeader { read(cells, columns, record, into: &events) }
        }
    }

    private func columns(below first: [String]) -> [Column] {
        let address = shape.address ?? ListField.addressIndex(in: first)
        return first.enumerated().map { index, cell in
            if index == address { return Column(field: .url) }
            guard shape.hasHeader else { return Column() }
            let (name, field) = (String(cell.trimmed), ListField(name: cell.trimmed))
            return Column(field: field == .url ? nil : field, name: choice.keeps(name) ? name : nil)
        }
    }

    private func read(
        _ cells: [String], _ columns: [Column], _ record: TableRecord, into events: inout [ListEvent]
    ) {
        guard cells.count <= columns.count else {
            let reason = "\(cells.count) fields where the header has \(columns.count)"
            events.append(.rejected(line: record.line, reason: reason))
            return
        }
        var builder = EntryBuilder(line: record.line, base: base)
        for (index, (column, cell)) in zip(columns, cells).enumerated() where !cell.trimmed.isEmpty {
            if let name = column.name { builder.add(name, .string(cell)) }
            guard let field = column.field else { continue }
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

/// Splits bytes whose lines end in LF into the records of a table (RFC 4180); holds one record at most.
///
/// Quoted fields may contain separators, line ends and doubled quotes. A missing quote spoils only the first line of
/// its record; the lines after it are read again. In tables with TABs, which mostly have no quotes, that line is read
/// without quoting. A record over the limit is discarded.
struct RecordSplitter {
    /// The maximum length of a record in bytes.
    let limit: Int
    let separator: UInt8
    /// The number of the first line that is not yet read.
    private(set) var line = 1
    private var pending: [UInt8] = []
    /// Whether the pending bytes end in a quoted field.
    private var isInQuotes = false
    /// Whether the rest of the current line belongs to a record that was rejected.
    private var isSkipping = false

    init(separator: UInt8, limit: Int = 1 << 20) { (self.separator, self.limit) = (separator, limit) }

    /// Returns the records that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [TableRecord] {
        pending += bytes
        if isInQuotes, pending.count <= limit, !bytes.contains(Self.quote) { return [] }
        return split(isLast: false)
    }

    /// Returns the records at the end without a line end.
    mutating func finish() -> [TableRecord] { split(isLast: true) }

    private mutating func split(isLast: Bool) -> [TableRecord] {
        var records: [TableRecord] = []
        var rest = pending[...]
        isInQuotes = false
        while !rest.isEmpty {
            let lineEnd = rest.fastIndex(of: Self.lineFeed)
            var end = lineEnd.map { $0 + 1 } ?? rest.endIndex
            if isSkipping {
                isSkipping = lineEnd == nil
            } else {
                var result = parse(rest, isLast: isLast)
                if case .lostQuote = result, separator == UInt8(ascii: "\t") {
                    let isWhole = lineEnd != nil || isLast || rest.count > limit
                    result = isWhole ? parse(rest[..<end], isLast: true, allowsQuotes: false) : .incomplete
                }
                switch result {
                case .incomplete:
                    pending = Array(rest)
                    return records
                case .record(let record, let recordEnd):
                    records.append(record)
                    end = recordEnd
                case .lostQuote(let error):
                    records.append(TableRecord(line: line, content: .failure(error)))
                    isSkipping = lineEnd == nil
                case .tooLong(let index):
                    records.append(TableRecord(line: line, content: .failure(.recordTooLong)))
                    (end, isSkipping) = (index, true)
                }
            }
            line += rest[..<end].count { $0 == Self.lineFeed }
            rest = rest[end...]
        }
        pending = []
        return records
    }

    private enum ParseResult {
        case incomplete
        case record(TableRecord, end: Int)
        case lostQuote(ListLine.ReadError)
        /// A field without quotes, which ends at the index, makes the record longer than the limit.
        case tooLong(index: Int)
    }

    /// Parses the record at the beginning of the bytes.
    private mutating func parse(_ bytes: ArraySlice<UInt8>, isLast: Bool, allowsQuotes: Bool = true) -> ParseResult {
        var fields: [ArraySlice<UInt8>] = []
        var quotedFields: [Int] = []
        var index = bytes.startIndex
        while true {
            if allowsQuotes, index < bytes.endIndex, bytes[index] == Self.quote {
                guard let field = quotedField(bytes, &index) else {
                    isInQuotes = !isLast && bytes.count <= limit
                    return isInQuotes ? .incomplete : .lostQuote(.openQuote)
                }
                quotedFields.append(fields.count)
                fields.append(field)
            } else {
                let end = bytes[index...].firstIndex { $0 == separator || $0 == Self.lineFeed } ?? bytes.endIndex
                if end - bytes.startIndex > limit { return .tooLong(index: end) }
                fields.append(bytes[index..<end])
                index = end
            }
            guard index < bytes.endIndex else {
                return isLast ? .record(record(fields, quotedFields), end: index) : .incomplete
            }
            switch bytes[index] {
            case Self.lineFeed: return .record(record(fields, quotedFields), end: index + 1)
            case separator: index += 1
            default: return .lostQuote(.afterQuote)
            }
        }
    }

    /// Returns the content of the quoted field at the index, which moves to its end; nil without a closing quote within
    /// the limit.
    private func quotedField(_ bytes: ArraySlice<UInt8>, _ index: inout Int) -> ArraySlice<UInt8>? {
        var field: ArraySlice<UInt8> = []
        var start = index + 1
        while let end = bytes[start...].fastIndex(of: Self.quote), end - bytes.startIndex <= limit {
            field = field.isEmpty ? bytes[start..<end] : field + bytes[start..<end]
            index = end + 1
            guard index < bytes.endIndex, bytes[index] == Self.quote else { return field }
            field.append(Self.quote)
            start = index + 1
        }
        return nil
    }

    private func record(_ fields: [ArraySlice<UInt8>], _ quotedFields: [Int]) -> TableRecord {
        var texts: [String] = []
        var windows1252Fields: Set<Int> = []
        do throws(ListLine.ReadError) {
            for (index, field) in fields.enumerated() {
                do throws(ListLine.ReadError) { texts.append(try ListLine.text(field)) } catch .notUTF8 {
                    windows1252Fields.insert(index)
                    let text = String(bytes: field, encoding: .windowsCP1252)
                    texts.append(text ?? String(bytes: field, encoding: .isoLatin1) ?? "")
                }
            }
        } catch {
            return TableRecord(line: line, content: .failure(error))
        }
        return TableRecord(
            line: line, content: .success(texts), windows1252Fields: windows1252Fields, quotedFields: quotedFields)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
}

/// The layout of a table: its separator, its column of addresses, and whether it has a header.
struct TableShape: Hashable {
    let separator: UInt8
    /// The index of the column of addresses if no column has a ``ListField`` name for it.
    var address: Int?
    /// Whether the first record names the columns.
    var hasHeader = true

    /// Detects a table by the first records.
    ///
    /// Tries TAB, comma and semicolon as separators.
    ///
    /// A list is a table if its first record
    /// - names a column of addresses as ``ListField`` does, or
    /// - has an address in one of several fields (no header), or
    /// - can be a header, and the records below it have a column of addresses.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the list, without the comments above the first record.
    ///   - isComplete: Whether no more bytes follow.
    ///   - isTable: Whether the file name is that of a table.
    ///   - name: The column of addresses if the user names it; a table then has it.
    static func detect(
        in bytes: ArraySlice<UInt8>, isComplete: Bool, isTable: Bool, address name: String? = nil
    ) -> ListFormat.Detection {
        var isUndecided = false
        for separator in Array("\t,;".utf8) {
            let records = records(bytes, separator, isComplete: isComplete)
            guard let first = records.first else { continue }
            if let name {
                guard let address = first.firstIndex(where: { $0.trimmed == name }) else { continue }
                return .found(.table(TableShape(separator: separator, address: address)))
            }
            if ListField.addressIndex(in: first) != nil, !first.contains(where: { $0.contains("://") }) {
                return .found(.table(TableShape(separator: separator)))
            }
            if let address = addressInRecord(first, separator, isQuoted: bytes.first == quote, isTable: isTable) {
                return .found(.table(TableShape(separator: separator, address: address, hasHeader: false)))
            }
            guard first.allSatisfy(isPossibleName), first.count > 1 || ListField.isUsualAddressName(first[0]) else {
                continue
            }
            let rest = records.dropFirst().prefix(sampleSize)
            // A record with an unquoted separator has too many fields. The parser rejects it later.
            let rows = rest.filter { $0.count <= first.count }
            guard rows.count * 2 >= rest.count else { continue }
            if let address = addressColumn(of: rows, names: first) {
                return .found(.table(TableShape(separator: separator, address: address)))
            }
            if !isComplete, records.count <= sampleSize { isUndecided = true }
        }
        return isUndecided ? .undecided : .notFound
    }

    /// Returns the index of the address in a first record that is not a header.
    ///
    /// TABs are not considered: plain text has them, too. An address may contain separators, so an address at the
    /// beginning must be quoted, or the file must be a table by its name and no later field may look like the rest of
    /// the address (with a slash).
    private static func addressInRecord(
        _ fields: [String], _ separator: UInt8, isQuoted: Bool, isTable: Bool
    ) -> Int? {
        guard separator != UInt8(ascii: "\t"), fields.count > 1 else { return nil }
        guard fields[0].contains("://"), !isQuoted else { return addressColumn(of: [fields]) }
        let isRest = fields.dropFirst().contains { $0.contains("/") && !$0.contains("://") }
        return isTable && !isRest ? addressColumn(of: [fields]) : nil
    }

    /// The number of records below the header that are examined.
    private static let sampleSize = 16
    private static let quote = UInt8(ascii: "\"")

    private static func isPossibleName(_ cell: String) -> Bool {
        !cell.contains("://") && !cell.hasPrefix("/") && !PictureFileDetector.isPicture(name: String(cell.trimmed))
    }

    /// Returns the header and the sampled records; records with errors are left out.
    private static func records(_ bytes: ArraySlice<UInt8>, _ separator: UInt8, isComplete: Bool) -> [[String]] {
        var splitter = RecordSplitter(separator: separator)
        var records = splitter.feed(Array(bytes))
        if isComplete { records += splitter.finish() }
        return records.prefix(sampleSize + 1).compactMap { try? $0.content.get() }
    }
}

// MARK: - The column of addresses

extension TableShape {
    /// Returns the index of the column that holds the addresses of pictures.
    ///
    /// Among the columns that contain only addresses, the names decide, then the extension of the first address.
    /// Without such a column, it is the first column of paths whose name means a picture; paths alone do not suffice,
    /// as any text may look like one.
    private static func addressColumn(of rows: [[String]], names: [String]? = nil) -> Int? {
        let indices = 0..<(rows.map(\.count).max() ?? 0)
        let columns = indices.map { index in
            rows.compactMap { $0.indices.contains(index) ? $0[index].trimmed : nil }.filter { !$0.isEmpty }
        }
        func name(_ index: Int) -> String { names.map { $0.indices.contains(index) ? $0[index] : "" } ?? "" }
        func score(_ index: Int) -> Int {
            2 * rank(of: name(index)) + (columns[index].first.map { isPicture($0) ? 1 : 0 } ?? 0)
        }

        let addresses = indices.filter { !columns[$0].isEmpty && columns[$0].allSatisfy(isAddress) }
        if let column = addresses.max(by: { (score($0), -$0) < (score($1), -$1) }) {
            // Without a header, the first field may be the beginning of an address that contains separators.
            return column > 0 || names == nil || ListField.isUsualAddressName(name(0)) ? column : nil
        }
        return indices.first { index in
            !columns[index].isEmpty && rank(of: name(index)) > 0
                && columns[index].allSatisfy { isPicture($0) || $0.hasPrefix("/") }
        }
    }

    private static func isPicture(_ cell: Substring) -> Bool { PictureFileDetector.isPicture(name: String(cell)) }

    private static func isAddress(_ cell: Substring) -> Bool {
        PlainAddress.isWeb(cell)
            && (!cell.utf8.contains(UInt8(ascii: " ")) || (try? PlainAddress.text(of: cell)) != nil)
    }

    /// Returns 1 if the name means a picture, -1 if it means a small version or something else, and 0 for other names.
    private static func rank(of name: String) -> Int {
        let name = name.lowercased()
        if otherNames.contains(where: name.contains) { return -1 }
        return pictureNames.contains(where: name.contains) ? 1 : 0
    }

    private static let pictureNames = [
        "image", "img", "pic", "photo", "bild", "foto", "src", "link", "href", "file", "path", "url", "uri", "full",
        "large", "orig",
    ]
    private static let otherNames = [
        "thumb", "small", "preview", "icon", "avatar", "mini", "lowres", "page", "author", "profile", "user", "owner",
        "product", "site", "home", "license", "shop", "article", "video",
    ]
}
