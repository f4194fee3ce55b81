/// Parser of the pictures of an HTML page: `img`, `picture` and other elements that show pictures, links to pictures,
/// preview pictures for social media, backgrounds in styles, and linked data.
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
    /// Returns the pictures in the text of the open `style` or `script`.
    private var readText: (@Sendable (String) -> [String])?

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
            case .text(let bytes):
                for address in readText?(String(decoding: bytes, as: UTF8.self)) ?? [] {
                    events.append(address, line: token.line, resolve: reference.location)
                }
            case .close: readText = nil
            }
        }
    }

    private mutating func open(_ tag: MarkupTag, _ line: Int, into events: inout [ListEvent]) {
        // A style that closes itself has no text.
        readText = nil
        let hasBackground = tag.contains(anyOf: Self.backgrounds)
        guard Self.elements.contains(tag.name) || hasBackground else { return }
        let attributes = tag.attributes()
        if hasBackground { appendBackgrounds(attributes, line, into: &events) }
        switch tag.name {
        case "base":
            // Only the first base of a page counts.
            guard !hasBase, let target = attributes["href"] else { return }
            reference.setBase(target)
            hasBase = true
        case "img", "amp-img", "amp-anim": appendImage(attributes, line, into: &events)
        case "style": readText = { StyleAddresses.pictures(in: $0) }
        case "script" where attributes["type"]?.lowercased().trimmed.hasPrefix("application/ld+json") == true:
            readText = { LinkedData.pictures(in: $0[...]) }
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
        "base", "img", "picture", "source", "video", "link", "a", "area", "meta", "style", "script", "amp-img",
        "amp-anim",
        "input", "image", "object", "embed",
    ]
    /// Texts of which the tag of an element with a background has one.
    private static let backgrounds = (StyleAddresses.functions + ["background", "data-bg"]).map {
        Array($0.utf8.map { $0 | 0x20 })
    }

    private func appendBackgrounds(_ attributes: [String: String], _ line: Int, into events: inout [ListEvent]) {
        let named = ["background", "data-bg", "data-background", "data-background-image"].compactMap { attributes[$0] }
        // Other values are colours and switches.
        let plain = named.filter { value in
            let isStyle = StyleAddresses.functions.contains { value.lowercased().contains($0) }
            return !isStyle && !value.hasPrefix("#") && value.contains { "/.".contains($0) }
        }
        let styled = ([attributes["style"]] + named).compactMap(\.self).flatMap { StyleAddresses.all(in: $0) }
        for address in plain + styled { events.append(address, line: line, resolve: reference.location) }
    }

    /// Returns the reference of an element that leads to a picture.
    private static func target(of name: String, _ attributes: [String: String]) -> String? {
        switch name {
        case "video": return attributes["poster"]
        case "link":
            let isPreload = attributes["rel"]?.lowercased() == "preload" && attributes["as"]?.lowercased() == "image"
            if isPreload { return SourceSet(attributes["imagesrcset"] ?? "").largest ?? attributes["href"] }
            let isImage = attributes["rel"]?.lowercased() == "image_src" || attributes["itemprop"] == "image"
            return isImage ? attributes["href"] : nil
        case "meta":
            let property = attributes["property"] ?? attributes["name"] ?? ""
            let isImage = attributes["itemprop"] == "image" || previews.contains(property.lowercased())
            return isImage ? attributes["content"] : nil
        case "input": return attributes["type"]?.lowercased() == "image" ? attributes["src"] : nil
        case "image": return attributes["href"] ?? attributes["xlink:href"]
        case "object", "embed":
            let address = attributes[name == "object" ? "data" : "src"]
            let isImage = attributes["type"]?.lowercased().hasPrefix("image/") == true
            return address.flatMap { isImage || PictureFileDetector.isPicture(url: $0[...]) ? $0 : nil }
        case "script": return nil
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
        names.lazy.compactMap { attributes[$0] }.first { !$0.trimmed.isEmpty && !$0.hasPrefix("about:") }
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
