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
    static func detect(in bytes: ArraySlice<UInt8>, isComplete: Bool, isTable: Bool) -> ListFormat.Detection {
        var isUndecided = false
        for separator in Array("\t,;".utf8) {
            let records = records(bytes, separator, isComplete: isComplete)
            guard let first = records.first else { continue }
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
    /// TABs are not considered: plain text has them, too. An address at the beginning must be quoted, or the file must
    /// be a table by its name, because an address may contain separators. Then a field with a slash is the rest of the
    /// address.
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
        !cell.contains("://") && !cell.hasPrefix("/") && !PictureType.isPicture(name: String(cell.trimmed))
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
    /// Among the columns that hold only addresses, the names decide, then the extension of the first address. Without such
    /// a column, it is the first that holds only paths and has the name of a picture, as any text may look like a path.
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
            // Below a line that is no header, the first field may be the beginning of an address that contains
            // separators.
            return column > 0 || names == nil || ListField.isUsualAddressName(name(0)) ? column : nil
        }
        return indices.first { index in
            !columns[index].isEmpty && rank(of: name(index)) > 0
                && columns[index].allSatisfy { isPicture($0) || $0.hasPrefix("/") }
        }
    }

    private static func isPicture(_ cell: Substring) -> Bool { PictureType.isPicture(name: String(cell)) }

    private static func isAddress(_ cell: Substring) -> Bool {
        PlainAddress.isWeb(cell)
            && (!cell.utf8.contains(UInt8(ascii: " ")) || (try? PlainAddress.text(of: cell)) != nil)
    }

    /// Returns 1 for the name of a picture, -1 for that of a small version or of something else, and 0 for others.
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
