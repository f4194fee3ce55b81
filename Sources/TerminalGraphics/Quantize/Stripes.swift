/// The division of a length into stripes that are processed concurrently.
struct Stripes {
    let ranges: [Range<Int>]

    /// Divides `length` into up to `maximumCount` stripes of about `minimumLength` or more; all but the last are a
    /// multiple of `unit` long.
    init(of length: Int, unit: Int = 1, minimumLength: Int = 64, maximumCount: Int = 4) {
        let units = (length + unit - 1) / unit
        let count = min(max(1, length / max(1, minimumLength)), max(1, maximumCount), max(1, units))
        ranges = (0..<count).map { stripe in
            min(length, units * stripe / count * unit)..<min(length, units * (stripe + 1) / count * unit)
        }
    }

    /// Returns the results of `body` for each stripe, in order.
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
