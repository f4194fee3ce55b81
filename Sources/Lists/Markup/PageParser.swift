/// Reads the pictures of an HTML page: `img`, `picture`, links to pictures, and the pictures it is shared with.
///
/// An `img` is one entry, however many versions it has: the largest of its `srcset` or its `src`, the other as an
/// alternative, the smallest as the low-data version; lazily loaded ones stand in `data-src`, `data-srcset` and the like. The
/// sources before it in a `picture` are alternatives, too.
struct PageParser: ListParser {
    private var scanner = MarkupScanner(dialect: .html)
    private var reference: PageReference
    private var hasBase = false
    /// The largest of each source of the `picture` that is open.
    private var sources: [String]?
    private var isEmpty = true
    private(set) var missingEnd: MissingEnd?

    init(base: ListBase) {
        self.init(PageReference(base: base))
    }

    /// A parser of HTML that stands in another document.
    init(_ reference: PageReference) {
        self.reference = reference
    }

    var line: Int { scanner.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for token in scanner.feed(bytes) { read(token, into: &events) }
        if !events.isEmpty { isEmpty = false }
    }

    mutating func finish(isCut: Bool, into events: inout [ListEvent]) {
        if isCut { return }
        if let token = scanner.finish(), case .fault(let reason) = token.content {
            missingEnd = MissingEnd(line: token.line, reason: reason)
        } else if isEmpty {
            events.append(.rejected(line: scanner.line, reason: "the page ends and names no picture"))
        }
    }

    private mutating func read(_ token: MarkupToken, into events: inout [ListEvent]) {
        switch token.content {
        case .fault(let reason): events.append(.rejected(line: token.line, reason: reason))
        case .open(let tag): open(tag, token.line, into: &events)
        case .close("picture"):
            if let sources, let best = sources.first {
                give(best, token.line, others: Array(sources.dropFirst()), into: &events)
            }
            sources = nil
        case .close, .text: break
        }
    }

    private mutating func open(_ tag: MarkupTag, _ line: Int, into events: inout [ListEvent]) {
        switch tag.name {
        case "base": rebase(tag)
        case "img": image(tag.attributes(), line, into: &events)
        case "picture": sources = []
        case "source":
            guard let known = sources, known.count < ListEntry.alternativeLimit else { return }
            if let best = Self.sourceSet(tag.attributes()).largest { sources = known + [best] }
        case "video":
            if let target = tag.attributes()["poster"] { give(target, line, into: &events) }
        case "link":
            let attributes = tag.attributes()
            guard attributes["rel"]?.lowercased() == "image_src", let target = attributes["href"] else { return }
            give(target, line, into: &events)
        case "a", "area":
            guard let target = tag.attributes()["href"], Self.isPicture(target) else { return }
            give(target, line, into: &events)
        case "meta":
            let attributes = tag.attributes()
            let name = attributes["property"] ?? attributes["name"] ?? ""
            guard Self.shared.contains(name.lowercased()), let target = attributes["content"] else { return }
            give(target, line, into: &events)
        default: break
        }
    }

    private static let shared: Set<String> = [
        "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src",
    ]

    /// The first base of a page counts.
    private mutating func rebase(_ tag: MarkupTag) {
        guard !hasBase, let target = tag.attributes()["href"] else { return }
        reference.rebase(target)
        hasBase = true
    }

    private mutating func image(_ attributes: [String: String], _ line: Int, into events: inout [ListEvent]) {
        let set = Self.sourceSet(attributes)
        let source = Self.first(of: Self.lazySources + ["src"], in: attributes)
        let versions = [set.largest, source].compactMap { $0 } + (sources ?? [])
        sources = sources.map { _ in [] }
        guard let best = versions.first else { return }
        give(
            best, line, title: attributes["alt"], others: Array(versions.dropFirst()), lowData: set.smallest,
            into: &events)
    }

    private static func sourceSet(_ attributes: [String: String]) -> SourceSet {
        SourceSet(first(of: lazySets + ["srcset"], in: attributes) ?? "")
    }

    /// Where scripts find what they load when it comes into view; `src` holds a stand-in until then.
    private static let lazySources = ["data-src", "data-lazy-src", "data-original", "data-lazy"]
    private static let lazySets = ["data-srcset", "data-lazy-srcset"]

    private static func first(of names: [String], in attributes: [String: String]) -> String? {
        names.lazy.compactMap { attributes[$0] }.first { !$0.trimmed.isEmpty }
    }

    /// Whether the link leads to a picture, by the extension of its path.
    static func isPicture(_ target: String) -> Bool {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
        return PictureType.isPicture(name: String(Substring(name).trimmed))
    }

    /// Other versions that cannot be loaded from are left out: the page has one that can.
    private func give(
        _ target: String, _ line: Int, title: String? = nil, others: [String] = [], lowData: String? = nil,
        into events: inout [ListEvent]
    ) {
        do {
            var entry = ListEntry(line: line, location: try reference.location(target))
            let title = (title ?? "").trimmed
            entry.title = title.isEmpty ? nil : String(title)
            for case let other? in others.map({ try? reference.location($0) })
            where other != entry.location && !entry.alternatives.contains(other) {
                entry.alternatives.append(other)
            }
            entry.lowData = lowData.flatMap { try? reference.location($0) }
            events.append(.entry(entry))
        } catch {
            events.append(.rejected(line: line, reason: error.description))
        }
    }
}
