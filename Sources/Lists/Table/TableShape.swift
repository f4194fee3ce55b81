/// How a table is laid out: what divides its fields, and which of them is the address.
struct TableShape: Hashable {
    let separator: UInt8
    /// The column of the addresses where its name does not say so, from 0.
    var address: Int?
    /// Whether the first line names the columns.
    var hasHeader = true
}

/// Recognised by the names in the first line, else by where the addresses stand.
extension TableShape {
    private static let separators = Array("\t,;".utf8)

    /// A header one of whose names must be that of an address, and none one.
    ///
    /// A header of one column only takes TAB, as URLs may hold commas.
    init?(header line: ArraySlice<UInt8>) {
        let separator = Self.separators.first { separator in
            guard let names = Self.cells(line, separator) else { return false }
            return TableHeader(names).columns.contains(.url) && !names.contains { $0.contains("://") }
        }
        guard let separator else { return nil }
        self.separator = separator
    }

    /// A first line that may be a header of names that say nothing; the next line tells.
    static func mayBeHeader(_ line: ArraySlice<UInt8>) -> Bool { separators.contains { names(line, $0) != nil } }

    /// A header of names that say nothing, above a line with as many fields, one of which is a web address.
    init?(header line: ArraySlice<UInt8>, above next: ArraySlice<UInt8>) {
        for separator in Self.separators {
            guard let names = Self.names(line, separator), let cells = Self.cells(next, separator),
                cells.count == names.count, let address = Self.address(in: cells)
            else { continue }
            self.init(separator: separator, address: address)
            return
        }
        return nil
    }

    /// A first line that is a record itself: behind other fields stands a web address.
    ///
    /// Where TABs divide them, plain text knows what that means.
    init?(record line: ArraySlice<UInt8>) {
        for separator in Self.separators.dropFirst() {
            guard let cells = Self.cells(line, separator), let address = Self.address(in: cells), address > 0,
                !cells[0].contains("://")
            else { continue }
            self.init(separator: separator, address: address, hasHeader: false)
            return
        }
        return nil
    }

    /// Several cells, all of them words as columns are named.
    private static func names(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> [String]? {
        guard let cells = cells(line, separator), cells.count > 1, cells.allSatisfy(isName) else { return nil }
        return cells
    }

    private static func isName(_ cell: String) -> Bool {
        let name = cell.trimmed
        return !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_- ".contains($0) }
    }

    /// That of a picture rather than another one.
    private static func address(in cells: [String]) -> Int? {
        let addresses = cells.indices.filter { isAddress(cells[$0].trimmed) }
        return addresses.first { PictureType.isPicture(name: String(cells[$0].trimmed)) } ?? addresses.first
    }

    private static func isAddress(_ cell: Substring) -> Bool {
        ["http", "https"].contains(URLParts(cell)?.scheme.lowercased()) && !cell.utf8.contains(UInt8(ascii: " "))
    }

    private static func cells(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> [String]? {
        var splitter = RecordSplitter(separator: separator)
        _ = splitter.feed(Array(line))
        guard case .success(let cells) = splitter.finish().first?.content else { return nil }
        return cells
    }
}
