/// Suggests the name that was probably meant.
enum NearestName {
    /// Returns "; the nearest is 'x'", or lists all names if none is similar.
    static func hint(for name: String, among known: [String]) -> String {
        if let nearest = nearest(to: name, among: known) { return "; the nearest is '\(nearest)'" }
        return known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))"
    }

    /// Returns the known name with the smallest edit distance, at most a third of its length; nil if none is that
    /// similar.
    static func nearest(to name: String, among known: [String]) -> String? {
        let near = known.map { ($0, distance(Array(name.lowercased().prefix(64)), Array($0))) }
            .filter { $1 <= max(1, $0.count / 3) }
        return near.min { $0.1 < $1.1 }?.0
    }

    /// Returns the edit distance with transpositions (Damerau, 1964), computed row by row.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var (before, above) = ([Int](), Array(0...second.count))
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                let replaced = above[j] + (first[i] == second[j] ? 0 : 1)
                var fewest = min(replaced, above[j + 1] + 1, row[j] + 1)
                let isSwapped = i > 0 && j > 0 && first[i] == second[j - 1] && first[i - 1] == second[j]
                if isSwapped { fewest = min(fewest, before[j - 1] + 1) }
                row.append(fewest)
            }
            (before, above) = (above, row)
        }
        return above[second.count]
    }
}
