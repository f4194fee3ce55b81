import AlcedoScreen

/// The names of rows, each with what tells it from other rows of the same name: of its folder, its query, or both.
struct CacheNames {
    private typealias Place = (host: String, address: String, parts: AddressParts)

    /// The places of each name that several rows have.
    private let places: [String: [Place]]
    /// Whether a column tells hosts apart.
    private let showsHosts: Bool

    init(of rows: [CacheRow], showsHosts: Bool) {
        self.showsHosts = showsHosts
        places = Dictionary(grouping: rows, by: \.name).filter { $0.value.count > 1 }.mapValues { rows in
            rows.map { ($0.host, $0.address, AddressParts($0.address)) }
        }
    }

    func text(of row: CacheRow) -> NameText {
        // Entries of one address differ in their kind and processor.
        let others = (places[row.name] ?? []).filter {
            $0.address != row.address && (!showsHosts || $0.host == row.host)
        }
        guard !others.isEmpty else { return NameText(lead: "", name: row.name) }
        let parts = AddressParts(row.address)
        let folders = others.filter { $0.parts.lead != parts.lead }.map(\.parts.folder)
        let queries = others.filter { $0.parts.lead == parts.lead }.map { Self.query(of: $0.parts) }
        let own = Self.query(of: parts).filter { part in !queries.allSatisfy { $0.contains(part) } }
        return NameText(
            lead: folders.isEmpty ? "" : Self.end(of: parts, unlike: folders), name: row.name,
            query: own.isEmpty ? "" : "?" + own.joined(separator: "&"))
    }

    private static func query(of parts: AddressParts) -> [Substring] {
        parts.rest.dropFirst(parts.file.count + 1).split(separator: "&")
    }

    /// Returns the last components of a folder that no other one ends with, as few as needed.
    private static func end(of parts: AddressParts, unlike others: [String]) -> String {
        var rest = parts.folder[...]
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            let end = parts.folder[slash...]
            if !others.contains(where: { "/\($0)".hasSuffix(end) }) { return end.dropFirst() + "/" }
        }
        return others.contains(parts.folder) ? String(parts.lead) : parts.folder + "/"
    }
}
