/// The first line of a table: what its columns are.
struct TableHeader: Hashable {
    /// Nil for a column of somebody else's.
    let columns: [ListField?]

    /// Columns by their names; `address` is that of the addresses, where its name does not say so.
    init(_ names: [String], address: Int? = nil) {
        let fields = names.map { ListField(name: $0.trimmed) }
        let address = address ?? ListField.address(among: names)
        columns = zip(names.indices, fields).map { $0 == address ? .url : $1 == .url ? nil : $1 }
    }

    /// As many columns without names.
    init(columns count: Int, address: Int?) {
        columns = (0..<count).map { $0 == address ? .url : nil }
    }
}
