import BrowserCore
import Filters
import Foundation
import Raster

/// A filter of the JSON objects of items.
package struct ReportFilter: Sendable {
    private let filter: PictureFilter
    private var related = RelatedPictures()

    /// Parses a filter.
    ///
    /// - Throws: `FilterProblem` for a term that is not valid.
    package init(_ text: String) throws(FilterProblem) { filter = try PictureFilter(text, in: .report) }

    /// Whether it must know all items before it can test one.
    package var readsAllItems: Bool { filter.readsAllPictures }

    /// Returns the filter with the contents and hashes that its terms `dup` and `like:` need.
    ///
    /// - Parameter forEachItem: Calls its argument with each item.
    func resolved(
        _ forEachItem: (([String: Any]) -> Void) throws(ProgramProblem) -> Void
    ) throws(ProgramProblem) -> ReportFilter {
        guard readsAllItems else { return self }
        var (digests, hashes): ([UInt64], [UInt64]) = ([], [])
        try forEachItem { item in
            Self.digest(item).map { digests.append($0) }
            Self.hash(item).map { hashes.append($0) }
        }
        var copy = self
        copy.related = RelatedPictures(
            for: filter, repeatedDigests: { RelatedPictures.repeated(digests) }, hashes: { hashes })
        return copy
    }

    /// Returns the filter as a predicate over items.
    func predicate() -> ([String: Any]) -> Bool { filter.predicate(test) }

    private func test(_ term: FilterTerm) -> ([String: Any]) -> Bool {
        switch term {
        case .text(let pattern): Self.text(pattern)
        case .host(let host): { Self.isAt(host.lowercased(), $0["url"] as? String ?? "") }
        case .format(let format): { $0["format"] as? String == format?.rawValue }
        case .status(let status): { $0["status"] as? String == status }
        case .code(let codes): { ($0["http"] as? Int).map(codes.contains) ?? false }
        case .error(let text): { Self.hasError(text, $0["error"] as? [String: Any]) }
        case .verdict(let verdict): { $0["verdict"] as? String == verdict }
        case .color(let model): { ($0["color"] as? [String: Any])?["model"] as? String == model }
        case .alpha(let isThere): { $0["alpha"] as? Bool == isThere }
        case .number(let number, let comparison, let limit):
            { Self.value(of: number, $0).map { comparison.holds($0, limit) } ?? false }
        case .ratio(let ratio):
            { item in
                guard let width = item["width"] as? Int, let height = item["height"] as? Int else { return false }
                return FilterTerm.isNear(ratio, width: width, height: height)
            }
        case .duplicate: { Self.digest($0).map(related.hasSeveral) ?? false }
        case .similar(let distance): { Self.hash($0).map { related.isNear($0, within: distance) } ?? false }
        case .mismatch: { $0["mismatch"] is String }
        case .kind, .state, .key: { _ in false }
        }
    }

    private static func text(_ pattern: TextPattern) -> ([String: Any]) -> Bool {
        let test = pattern.matches
        let isGlob = pattern.form == .glob
        return { item in
            guard let url = item["url"] as? String else { return false }
            return test(isGlob ? String(url.prefix { !"?#".contains($0) }) : url)
                || !isGlob && (item["title"] as? String).map(test) ?? false
        }
    }

    private static func isAt(_ host: String, _ url: String) -> Bool {
        guard let parts = URL(string: url), let own = parts.host?.lowercased() else { return false }
        return own == host || parts.port.map { "\(own):\($0)" == host } ?? false
    }

    private static func hasError(_ text: String, _ error: [String: Any]?) -> Bool {
        error?["kind"] as? String == text || (error?["text"] as? String)?.lowercased().contains(text) ?? false
    }

    private static func value(of number: FilterTerm.Number, _ item: [String: Any]) -> Double? {
        func field(_ name: String) -> Double? { (item[name] as? NSNumber)?.doubleValue }
        switch number {
        case .width: return field("width")
        case .height: return field("height")
        case .megapixels: return field("width").flatMap { width in field("height").map { width * $0 / 1e6 } }
        case .bytes: return field("bytes")
        case .frames: return field("frames")
        case .age, .unused, .hits: return nil
        }
    }

    private static func digest(_ item: [String: Any]) -> UInt64? {
        (item["sha256"] as? String).flatMap { UInt64($0.prefix(16), radix: 16) }
    }

    private static func hash(_ item: [String: Any]) -> UInt64? {
        (item["phash"] as? String).flatMap { UInt64($0, radix: 16) }
    }
}
