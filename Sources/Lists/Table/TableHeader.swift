/// The first line of a table: what its columns are.
struct TableHeader: Hashable {
    /// Nil for a column of somebody else's.
    let columns: [ListField?]

    init(_ names: [String]) {
        let fields = names.map { ListField(name: $0.trimmed) }
        let address = ListField.address(among: names)
        columns = zip(names.indices, fields).map { $1 == .url && $0 != address ? nil : $1 }
    }

    /// What divides the line, if it is the header of a table: one of its names must be that of an address, and none one.
    ///
    /// A header of one column only takes TAB, as URLs may hold commas.
    static func separator(in line: ArraySlice<UInt8>) -> UInt8? {
        "\t,;".utf8.first { separator in
            var splitter = RecordSplitter(separator: separator)
            _ = splitter.feed(Array(line))
            guard case .success(let names) = splitter.finish().first?.content else { return false }
            return TableHeader(names).columns.contains(.url) && !names.contains { $0.contains("://") }
        }
    }
}
