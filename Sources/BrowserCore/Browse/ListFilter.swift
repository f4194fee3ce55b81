import Filters
import Raster

/// The filter of the list.
struct ListFilter: Sendable, Equatable {
    let filter: PictureFilter

    /// Creates a filter that each item passes.
    init() { filter = PictureFilter() }

    /// Parses a filter.
    ///
    /// - Throws: `FilterProblem` for a term that is not valid, or not yet.
    init(_ text: String) throws(FilterProblem) { filter = try PictureFilter(text, in: .list) }

    /// Whether each item passes.
    var isEmpty: Bool { filter.isEmpty }

    /// Whether it has a regular expression, which takes long.
    var isSlow: Bool { patterns.contains { $0.form == .regex } }

    /// Whether the state and the facts of an item decide, which may change.
    var readsFacts: Bool { filter.terms.contains { if case .text = $0 { false } else { true } } }

    /// Whether a term reads facts that only a decode of the pixels tells.
    var readsPixels: Bool {
        filter.terms.contains { term in
            switch term {
            case .verdict, .alpha, .similar: true
            default: false
            }
        }
    }

    private var patterns: [TextPattern] { filter.terms.compactMap(\.pattern) }

    /// Whether everything this filter accepts was accepted by `other`, so that only those items need a test.
    func narrows(_ other: ListFilter) -> Bool {
        guard let word = onlyPattern, let old = other.onlyPattern else { return false }
        return word.narrows(old)
    }

    /// The only term if it is text and not negated.
    private var onlyPattern: TextPattern? {
        guard filter.alternatives.count == 1, filter.alternatives[0].count == 1 else { return nil }
        let literal = filter.alternatives[0][0]
        return literal.isNegated ? nil : literal.term.pattern
    }

    /// A function that returns the matches in a text.
    typealias Matcher = (String) -> [Range<String.Index>]

    /// Returns a matcher for the names in rows.
    func matcher() -> Matcher {
        let patterns = filter.alternatives.flatMap { $0.filter { !$0.isNegated }.compactMap(\.term.pattern) }
        if patterns.count == 1 { return patterns[0].ranges }
        return { text in
            patterns.flatMap { $0.ranges(in: text) }.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) {
                matches, match in
                if matches.last.map({ $0.upperBound <= match.lowerBound }) ?? true { matches.append(match) }
            }
        }
    }
}

extension FilterTerm {
    fileprivate var pattern: TextPattern? { if case .text(let pattern) = self { pattern } else { nil } }
}

/// The items with their states and facts, as a filter tests them.
struct FilteredItems {
    let items: ItemTable
    let statuses: StatusTable
    let facts: FactTable
    let related: RelatedPictures

    /// Returns a predicate over the indices of items.
    func predicate(of filter: ListFilter) -> (Int) -> Bool { filter.filter.predicate(test) }

    private func test(_ term: FilterTerm) -> (Int) -> Bool {
        switch term {
        case .text(let pattern): text(pattern)
        case .host(let host): { self.isAt(host.lowercased(), $0) }
        case .format(let format): { self.facts.format(of: $0, in: self.items) == format }
        case .status(let name): { self.isIn(state: name, $0) }
        case .code(let codes): { self.failure(of: $0).flatMap { Int($0.prefix(3)) }.map(codes.contains) ?? false }
        case .error(let text): { self.failure(of: $0)?.lowercased().contains(text) ?? false }
        case .verdict(let verdict): { self.facts[$0].verdict == verdict }
        case .color(let model): { self.facts[$0].color == model }
        case .alpha(let isThere): { self.facts[$0].hasAlpha == isThere }
        case .number(let number, let comparison, let limit):
            { self.value(of: number, $0).map { comparison.holds($0, limit) } ?? false }
        case .ratio(let ratio):
            { self.facts[$0].size.map { FilterTerm.isNear(ratio, width: $0.width, height: $0.height) } ?? false }
        case .duplicate:
            { index in
                self.statuses.kind(of: index) == .duplicate
                    || self.facts[index].digest.map(self.related.hasSeveral) ?? false
            }
        case .similar(let distance):
            { self.facts[$0].hash.map { self.related.isNear($0, within: distance) } ?? false }
        case .mismatch: { self.facts[$0].isMismatched }
        case .kind, .state, .key: { _ in false }
        }
    }

    private func text(_ pattern: TextPattern) -> (Int) -> Bool {
        let test = pattern.matches
        switch pattern.form {
        case .word:
            return { index in
                let isNamed = self.items.withName(at: index) { pattern.isFoundFast(in: $0) }
                return isNamed ?? test(self.items.name(at: index)) || test(self.items.place(at: index))
            }
        case .glob where pattern.namesFolders:
            return { test(String(self.items.location(at: $0).prefix { !"?#".contains($0) })) }
        case .glob: return { test(self.items.name(at: $0)) }
        case .regex: return { test(self.items.name(at: $0)) || test(self.items.place(at: $0)) }
        }
    }

    private func isAt(_ host: String, _ index: Int) -> Bool {
        let place = items.place(at: index).lowercased()
        return place == host || place.hasPrefix(host + ":") && !host.contains(":")
    }

    private func isIn(state: String, _ index: Int) -> Bool {
        switch statuses.kind(of: index) {
        case .waiting: state == "waiting"
        case .connecting, .loading, .retrying, .parked: state == "loading"
        case .onDisk, .inMemory: state == "cached"
        case .failed: state == "failed"
        case .duplicate: state == "duplicate"
        }
    }

    private func failure(of index: Int) -> String? {
        guard case .failed(let reason) = statuses.status(of: index, at: 0) else { return nil }
        return reason
    }

    private func value(of number: FilterTerm.Number, _ index: Int) -> Double? {
        let size = facts[index].size
        switch number {
        case .width: return size.map { Double($0.width) }
        case .height: return size.map { Double($0.height) }
        case .megapixels: return size.map { Double($0.width) * Double($0.height) / 1e6 }
        case .frames: return facts[index].frames.map(Double.init)
        case .bytes: return statuses.bytes(of: index).map(Double.init)
        case .age, .unused, .hits: return nil
        }
    }
}
