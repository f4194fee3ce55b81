import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFilters
import AlcedoLists
import FoundationEssentials
import Raster

/// A filter of the JSON objects of items.
package struct ReportFilter: Sendable {
    /// The filter as it was written.
    package let text: String
    private let filter: PictureFilter
    private var related = RelatedPictures()

    /// Parses a filter.
    ///
    /// - Throws: `FilterProblem` for a term that is not valid.
    package init(_ text: String) throws(FilterProblem) {
        self.text = text
        filter = try PictureFilter(text, in: .report)
    }

    /// Whether a term needs the pixels of pictures.
    package var readsPixels: Bool { filter.readsPixels }

    /// Whether it must know all items before it can test one.
    package var readsAllItems: Bool { filter.readsAllPictures }

    /// Returns the filter with the contents and hashes that its terms `dup` and `like:` need.
    ///
    /// - Parameter forEachItem: Calls its argument with each item.
    func resolved(
        _ forEachItem: ((JSONValue) -> Void) throws(ProgramProblem) -> Void
    ) throws(ProgramProblem) -> ReportFilter {
        guard readsAllItems else { return self }
        var (digests, hashes): ([UInt64], [UInt64]) = ([], [])
        try forEachItem { item in
            let picture = FilteredPicture(item: item)
            picture.digest.map { digests.append($0) }
            picture.facts.perceptualHash.map { hashes.append($0.bits) }
        }
        var copy = self
        copy.related = RelatedPictures(
            for: filter, repeatedDigests: { RelatedPictures.repeated(digests) }, hashes: { hashes })
        return copy
    }

    /// Returns the filter as a predicate over items.
    func predicate() -> @Sendable (JSONValue) -> Bool { filter.predicate(test) }

    private func test(_ term: FilterTerm) -> @Sendable (JSONValue) -> Bool {
        switch term {
        case .text(let pattern): Self.text(pattern)
        case .host(let host): { Self.isAt(host.lowercased(), $0["url"]?.text ?? "") }
        case .status(let status): { $0["status"]?.text == status }
        case .code(let codes): { $0["http"]?.whole.map(codes.contains) ?? false }
        case .error(let text): { Self.hasError(text, $0["error"]) }
        case .tag(let tag): { ($0["tags"]?.texts ?? []).contains { $0.lowercased() == tag } }
        case .format, .verdict, .color, .alpha, .camera, .taken, .number, .ratio, .duplicate, .similar, .mismatch,
            .digest:
            { [related] in FilteredPicture(item: $0).meets(term, related) ?? false }
        case .kind, .state, .key, .marked: { _ in false }
        }
    }

    private static func text(_ pattern: TextPattern) -> @Sendable (JSONValue) -> Bool {
        let test = pattern.matches
        let isGlob = pattern.form == .glob
        return { item in
            guard let url = item["url"]?.text else { return false }
            return test(isGlob ? String(url.prefix { !"?#".contains($0) }) : url)
                || !isGlob && item["title"]?.text.map(test) ?? false
        }
    }

    private static func isAt(_ host: String, _ url: String) -> Bool {
        guard let parts = URL(string: url), let own = parts.host?.lowercased() else { return false }
        return own == host || parts.port.map { "\(own):\($0)" == host } ?? false
    }

    private static func hasError(_ text: String, _ error: JSONValue?) -> Bool {
        error?["kind"]?.text == text || error?["text"]?.text?.lowercased().contains(text) ?? false
    }
}

extension FilteredPicture {
    /// Reads the facts of a picture from the JSON object of its item.
    init(item: JSONValue) {
        var facts = PictureFacts()
        for fact in PictureFact.all {
            item[fact.name].flatMap(FactValue.init(json:)).map { fact.setValue($0, in: &facts) }
        }
        self.init(
            facts: facts, bytes: item["bytes"]?.whole,
            digest: item["sha256"]?.text.flatMap { UInt64($0.prefix(16), radix: 16) },
            isMismatched: item["mismatch"]?.text != nil)
    }
}

extension FactValue {
    /// Reads a value of JSON; nil for what no fact has.
    fileprivate init?(json: JSONValue) {
        switch json {
        case .string(let text): self = .text(text)
        case .flag(let flag): self = .number(flag ? 1 : 0)
        case .number, .integer:
            guard let number = json.whole else { return nil }
            self = .number(number)
        case .object:
            let color = json
            guard let model = color["model"]?.text.flatMap(ColorFacts.Model.init),
                let bits = color["bits"]?.whole
            else { return nil }
            self = .color(ColorFacts(model, bits: bits, profile: color["profile"]?.text))
        default: return nil
        }
    }
}
