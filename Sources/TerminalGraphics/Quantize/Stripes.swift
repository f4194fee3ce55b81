/// The division of a length in rows or columns into stripes that are worked on at the same time.
struct Stripes {
    let ranges: [Range<Int>]

    /// Up to `most` stripes of about `least` or more; all but the last are a multiple of `unit` long.
    init(of length: Int, unit: Int = 1, least: Int = 64, most: Int = 4) {
        let units = (length + unit - 1) / unit
        let count = min(max(1, length / max(1, least)), max(1, most), max(1, units))
        ranges = (0..<count).map { stripe in
            min(length, units * stripe / count * unit)..<min(length, units * (stripe + 1) / count * unit)
        }
    }

    /// What `body` makes of each stripe, in order.
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
