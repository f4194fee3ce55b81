/// How a table is laid out: what divides its fields, and which of them is the address.
///
/// Datasets name their columns as they like, so that the column of addresses is also found by its content.
struct TableShape: Hashable {
    let separator: UInt8
    /// The column of the addresses where its name does not say so, from 0.
    var address: Int?
    /// Whether the first line names the columns.
    var hasHeader = true

    private static let separators = Array("\t,;".utf8)
}

extension TableShape {
    /// A header one of whose names must be that of an address, and none one.
    ///
    /// A header of one column only takes TAB, as URLs may hold commas.
    init?(header line: ArraySlice<UInt8>) {
        let separator = Self.separators.first { separator in
            guard let names = Self.records(line, separator).first else { return false }
            return TableHeader(names).columns.contains(.url) && !names.contains { $0.contains("://") }
        }
        guard let separator else { return nil }
        self.separator = separator
    }

    /// A first line that is a record itself: several fields, one of which is a web address.
    ///
    /// Where TABs divide them, plain text knows what that means. What begins with an address is one, separators and all,
    /// unless it is quoted, or the list is called a table.
    init?(record line: ArraySlice<UInt8>, isTable: Bool = false) {
        for separator in Self.separators.dropFirst() {
            guard let cells = Self.records(line, separator).first, cells.count > 1,
                let address = AddressColumn(of: [cells]).place,
                line.first == UInt8(ascii: "\"") || !cells[0].contains("://") || isTable && Self.standApart(cells)
            else { continue }
            self.init(separator: separator, address: address, hasHeader: false)
            return
        }
        return nil
    }

    /// Whether what stands behind an address goes on with none: there it would have a slash.
    private static func standApart(_ cells: [String]) -> Bool {
        cells.dropFirst().allSatisfy { !$0.contains("/") || $0.contains("://") }
    }

    /// What the first records of a list tell, where no name in its first line does.
    enum Finding: Hashable {
        case table(TableShape)
        case noTable
        /// More records may tell.
        case undecided
    }

    /// Finds the column of the addresses by what stands in it, below a header of whatever names.
    ///
    /// `isWhole` says that no more bytes come.
    static func find(in bytes: ArraySlice<UInt8>, isWhole: Bool) -> Finding {
        var isUndecided = false
        for separator in separators {
            switch find(in: bytes, separator, isWhole: isWhole) {
            case .table(let shape): return .table(shape)
            case .undecided: isUndecided = true
            case .noTable: break
            }
        }
        return isUndecided ? .undecided : .noTable
    }

    /// So many records are looked at.
    private static let sample = 16

    private static func find(in bytes: ArraySlice<UInt8>, _ separator: UInt8, isWhole: Bool) -> Finding {
        let records = records(bytes, separator, isWhole: isWhole)
        guard let names = records.first, names.allSatisfy(mayBeName),
            names.count > 1 || AddressColumn.isUsual(names[0])
        else { return .noTable }
        let all = records.dropFirst().prefix(sample)
        // A record has more where somebody has not quoted a separator: it is told when its turn comes.
        let rows = all.filter { $0.count <= names.count }
        guard rows.count * 2 >= all.count else { return .noTable }
        if let address = AddressColumn(of: Array(rows), under: names).place {
            return .table(TableShape(separator: separator, address: address))
        }
        return isWhole || records.count > sample ? .noTable : .undecided
    }

    private static func mayBeName(_ cell: String) -> Bool {
        !cell.contains("://") && !cell.hasPrefix("/") && !PictureType.isPicture(name: String(cell.trimmed))
    }

    /// The first records, one more than are looked at.
    private static func records(_ bytes: ArraySlice<UInt8>, _ separator: UInt8, isWhole: Bool = true) -> [[String]] {
        var splitter = RecordSplitter(separator: separator)
        var records: [[String]] = []
        var rest = bytes
        while records.count <= sample, !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            records += splitter.feed(Array(rest[..<end])).compactMap(cells)
            rest = rest[end...]
        }
        if isWhole, rest.isEmpty { records += splitter.finish().compactMap(cells) }
        return records
    }

    private static func cells(_ record: TableRecord) -> [String]? { try? record.content.get() }
}
