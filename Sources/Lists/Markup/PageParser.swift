/// Parser of the pictures of an HTML page: `img`, `picture`, links to pictures, and preview pictures for social media.
///
/// An `img` is one entry: the largest version of its `srcset` with `src` as an alternative, or `src` alone. The
/// smallest version is the low-data version. Lazy loading attributes such as `data-src` precede `src`. The sources of a
/// `picture` are alternatives of its `img`.
struct PageParser: ListParser {
    private var scanner = MarkupScanner(dialect: .html)
    private var reference: PageReference
    private var hasBase = false
    /// The largest version of each source of the open `picture`.
    private var sources: [String]?

    init(base: ListBase) {
        self.init(PageReference(base: base))
    }

    /// Creates a parser of HTML within another document.
    init(_ reference: PageReference) {
        self.reference = reference
    }

    var line: Int { scanner.line - 1 }
    var truncation: Truncation? { scanner.truncation }
    var emptyReason: String? { "the page contains no pictures" }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for token in scanner.feed(bytes) {
            switch token.content {
            case .error(let reason): events.append(.rejected(line: token.line, reason: reason))
            case .open(let tag): open(tag, token.line, into: &events)
            case .close("picture"):
                if let best = sources?.first {
                    let others = Array(sources?.dropFirst() ?? [])
                    events.append(best, line: token.line, alternatives: others, resolve: reference.location)
                }
                sources = nil
            case .close, .text: break
            }
        }
    }

    private mutating func open(_ tag: MarkupTag, _ line: Int, into events: inout [ListEvent]) {
        guard Self.elements.contains(tag.name) else { return }
        let attributes = tag.attributes()
        switch tag.name {
        case "base":
            // Only the first base of a page counts.
            guard !hasBase, let target = attributes["href"] else { return }
            reference.setBase(target)
            hasBase = true
        case "img": appendImage(attributes, line, into: &events)
        case "picture": sources = []
        case "source":
            guard let known = sources, known.count < ListEntry.alternativeLimit else { return }
            if let best = Self.sourceSet(attributes).largest { sources = known + [best] }
        default:
            guard let target = Self.target(of: tag.name, attributes) else { return }
            events.append(target, line: line, resolve: reference.location)
        }
    }

    private static let elements: Set<String> = [
        "base", "img", "picture", "source", "video", "link", "a", "area", "meta",
    ]

    /// Returns the reference of an element that leads to a picture.
    private static func target(of name: String, _ attributes: [String: String]) -> String? {
        switch name {
        case "video": return attributes["poster"]
        case "link": return attributes["rel"]?.lowercased() == "image_src" ? attributes["href"] : nil
        case "meta":
            let property = attributes["property"] ?? attributes["name"] ?? ""
            return previews.contains(property.lowercased()) ? attributes["content"] : nil
        default: return attributes["href"].flatMap { PictureFileDetector.isPicture(url: $0[...]) ? $0 : nil }
        }
    }

    private static let previews: Set<String> = [
        "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src",
    ]

    private mutating func appendImage(_ attributes: [String: String], _ line: Int, into events: inout [ListEvent]) {
        let set = Self.sourceSet(attributes)
        let source = Self.first(of: Self.lazySources + ["src"], in: attributes)
        let versions = [set.largest, source].compactMap { $0 } + (sources ?? [])
        sources = sources.map { _ in [] }
        guard let best = versions.first else { return }
        events.append(
            best, line: line, title: attributes["alt"], alternatives: Array(versions.dropFirst()),
            lowData: set.smallest, resolve: reference.location)
    }

    private static func sourceSet(_ attributes: [String: String]) -> SourceSet {
        SourceSet(first(of: lazySets + ["srcset"], in: attributes) ?? "")
    }

    /// The attributes that scripts load from when the image scrolls into view; `src` is a placeholder then.
    private static let lazySources = ["data-src", "data-lazy-src", "data-original", "data-lazy"]
    private static let lazySets = ["data-srcset", "data-lazy-srcset"]

    private static func first(of names: [String], in attributes: [String: String]) -> String? {
        names.lazy.compactMap { attributes[$0] }.first { !$0.trimmed.isEmpty }
    }
}

/// The candidates of a `srcset` attribute (HTML, 4.8.4.2).
struct SourceSet: Hashable {
    private struct Candidate: Hashable {
        var url: String
        /// The width in pixels or the density; 1 by default.
        var size: Double
    }

    private var candidates: [Candidate] = []

    init(_ text: String) {
        var rest = text[...].utf8
        while true {
            rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
            if rest.isEmpty { return }
            var url = rest.prefix { !$0.isBlank }
            rest = rest[url.endIndex...]
            let hasNoSize = url.last == UInt8(ascii: ",")
            while url.last == UInt8(ascii: ",") { url.removeLast() }
            let size = hasNoSize ? 1 : Self.size(&rest)
            candidates.append(Candidate(url: String(Substring(url)), size: size))
        }
    }

    /// The first of the largest candidates.
    var largest: String? { candidates.max { $0.size < $1.size }?.url }

    /// The smallest of several candidates.
    var smallest: String? { candidates.count > 1 ? candidates.min { $0.size < $1.size }?.url : nil }

    /// Consumes the descriptors up to the next comma outside of parentheses; returns the size.
    private static func size(_ rest: inout Substring.UTF8View) -> Double {
        var depth = 0
        let descriptors = rest.prefix { byte in
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            return byte != UInt8(ascii: ",") || depth > 0
        }
        rest = rest[descriptors.endIndex...]
        let words = Substring(descriptors).split(whereSeparator: \.isWhitespace)
        let number = words.first { $0.hasSuffix("w") || $0.hasSuffix("x") }.flatMap { Double($0.dropLast()) }
        return number.flatMap { $0 > 0 ? $0 : nil } ?? 1
    }
}
