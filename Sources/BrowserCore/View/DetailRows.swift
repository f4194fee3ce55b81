/// Label and value pairs arranged in rows; a long value continues in further rows if there are spare ones.
struct DetailRows {
    struct Row: Equatable {
        let line: DetailLine
        /// The part of the value that this row shows.
        let part: String
        let isFirst: Bool
    }

    let rows: [Row]

    /// Arranges lines in at most `count` rows; the first lines get spare rows first, up to three per value.
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

    /// Splits a value into rows: lists of facts at spaces, because their last item matters least; addresses and digests
    /// anywhere, truncated in the middle, because their end is significant.
    private static func parts(of value: String, width: Int, limit: Int, ellipsis: String) -> [String] {
        guard value.contains(", ") else { return Fitting.fold(value, to: width, limit: limit, ellipsis: ellipsis) }
        return Fitting.wrap(value, to: width, limit: limit, ellipsis: ellipsis)
    }
}
