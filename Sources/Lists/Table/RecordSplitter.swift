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
/// Quoted fields may hold separators, line ends and doubled quotes. A lost quote costs only the first line of its
/// record; the lines after it are read again. In tables with TABs, which mostly have no quotes, that line is read
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

    init(separator: UInt8, limit: Int = 1 << 20) {
        self.separator = separator
        self.limit = limit
    }

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
        /// A plain field exceeds the limit before the index.
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
                let isLineEnd = end == bytes.endIndex || bytes[end] == Self.lineFeed
                let field = bytes[index..<end]
                fields.append(isLineEnd && field.last == Self.carriageReturn ? field.dropLast() : field)
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

    /// Returns the content of the quoted field at the index, which moves behind it; nil without a closing quote within
    /// the limit.
    private func quotedField(_ bytes: ArraySlice<UInt8>, _ index: inout Int) -> ArraySlice<UInt8>? {
        var field: ArraySlice<UInt8> = []
        var start = index + 1
        while let end = bytes[start...].fastIndex(of: Self.quote), end - bytes.startIndex <= limit {
            field = field.isEmpty ? bytes[start..<end] : field + bytes[start..<end]
            index = end + 1
            guard index < bytes.endIndex, bytes[index] == Self.quote else {
                if index < bytes.endIndex, bytes[index] == Self.carriageReturn { index += 1 }
                return field
            }
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
                    texts.append(Self.windows1252(field))
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
    private static let carriageReturn = UInt8(ascii: "\r")

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
