/// Details in rows: a value too long for one takes more, as far as there are rows to spare.
struct DetailRows {
    struct Row: Equatable {
        let line: DetailLine
        /// What of its value stands here.
        let part: String
        let isFirst: Bool
    }

    let rows: [Row]

    /// The first lines come first to rows to spare; a value takes three at most.
    init(_ lines: [DetailLine], width: Int, count: Int, ellipsis: String) {
        var spare = max(0, count - lines.count)
        var rows: [Row] = []
        for line in lines.prefix(max(0, count)) {
            let parts = Self.parts(of: line.value, width: width, limit: min(3, 1 + spare), ellipsis: ellipsis)
            spare -= max(0, parts.count - 1)
            for (place, part) in parts.enumerated() { rows.append(Row(line: line, part: part, isFirst: place == 0)) }
        }
        self.rows = rows
    }

    /// Several facts are broken between words, and what matters least stands last; an address or a digest says as much at
    /// its end as at its start.
    private static func parts(of value: String, width: Int, limit: Int, ellipsis: String) -> [String] {
        guard value.contains(", ") else { return Fitting.fold(value, to: width, limit: limit, ellipsis: ellipsis) }
        return Fitting.wrap(value, to: width, limit: limit, ellipsis: ellipsis)
    }
}
