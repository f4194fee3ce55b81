/// The division of a row count into stripes that are worked on at the same time.
struct Stripes {
    let ranges: [Range<Int>]

    /// Up to `most` stripes of at least `least` rows; all but the last hold a multiple of `unit` rows.
    init(rows: Int, unit: Int = 1, least: Int = 64, most: Int = 4) {
        let count = min(max(1, rows / max(1, least)), max(1, most))
        let units = (rows + unit - 1) / unit
        ranges = (0..<count).map { stripe in
            min(rows, units * stripe / count * unit)..<min(rows, units * (stripe + 1) / count * unit)
        }
    }

    /// What `body` makes of each stripe, from the top.
    func map<Result: Sendable>(_ body: @escaping @Sendable (Range<Int>) -> Result) async -> [Result] {
        guard ranges.count > 1 else { return ranges.map(body) }
        return await withTaskGroup(of: (Int, Result).self) { group in
            for (place, range) in ranges.enumerated() {
                group.addTask { (place, body(range)) }
            }
            var results: [(Int, Result)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
