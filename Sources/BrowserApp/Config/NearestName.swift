/// Finds the name that was probably meant.
enum NearestName {
    /// "; the nearest is 'x'", or all names where none is near.
    static func hint(for name: String, among known: [String]) -> String {
        if let nearest = nearest(to: name, among: known) { return "; the nearest is '\(nearest)'" }
        return known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))"
    }

    /// The known name that the fewest changes lead to, at most a third of its length; nil when all are farther.
    static func nearest(to name: String, among known: [String]) -> String? {
        let near = known.map { ($0, distance(Array(name.lowercased().prefix(64)), Array($0))) }
            .filter { $1 <= max(1, $0.count / 3) }
        return near.min { $0.1 < $1.1 }?.0
    }

    /// Characters to insert, remove or replace (Levenshtein, 1966), by rows.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (i, character) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in second.enumerated() {
                let replaced = diagonal + (character == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
