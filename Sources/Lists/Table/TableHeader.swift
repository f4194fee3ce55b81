/// The first line of a table: what its columns are.
struct TableHeader: Hashable {
    /// Nil for a column of somebody else's.
    let columns: [ListField?]

    init(_ names: [String]) {
        columns = names.map { ListField(name: $0.trimmed) }
    }

    /// What divides the line, if it is the header of a table: one of its names must be `url`, and none an address.
    ///
    /// A header of one column only takes TAB, as URLs may hold commas.
    static func separator(in line: ArraySlice<UInt8>) -> UInt8? {
        "\t,;".utf8.first { separator in
            var splitter = RecordSplitter(separator: separator)
            _ = splitter.feed(Array(line))
            guard case .success(let names) = splitter.finish()?.content else { return false }
            return TableHeader(names).columns.contains(.url) && !names.contains { $0.contains("://") }
        }
    }
}
