/// Reads a sitemap: its pictures (Google's image extension), and of a sitemap index the sitemaps it names.
///
/// A page is no picture, so pages mean nothing, unless the address is a picture's by its extension. A sitemap of an
/// index is an entry of the kind ``ListEntry/Kind/list``.
struct SitemapParser: ListParser {
    private var scanner = MarkupScanner(dialect: .xml)
    private let reference: PageReference
    private var elements = OpenElements()
    private var image: (line: Int, location: String?, title: String?)?
    private var pages = 0
    private var isEmpty = true

    init(base: ListBase) {
        reference = PageReference(base: base)
    }

    var line: Int { scanner.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for token in scanner.feed(bytes) { read(token, into: &events) }
        if !events.isEmpty { isEmpty = false }
    }

    mutating func finish(isCut: Bool, into events: inout [ListEvent]) {
        if isCut || missingEnd != nil { return }
        if let token = scanner.finish() { return read(token, into: &events) }
        if isEmpty {
            events.append(.rejected(line: scanner.line, reason: "no picture is named here, only pages: \(pages)"))
        }
    }

    var missingEnd: MissingEnd? {
        elements.path.first.map { MissingEnd(line: scanner.line, reason: "the sitemap ends before its </\($0)>") }
    }

    private mutating func read(_ token: MarkupToken, into events: inout [ListEvent]) {
        switch token.content {
        case .fault(let reason): events.append(.rejected(line: token.line, reason: reason))
        case .text(let bytes): elements.add(bytes)
        case .open(let tag):
            elements.open(tag, line: token.line)
            if tag.localName == "image" { image = (token.line, nil, nil) }
        case .close(let name):
            close(name, into: &events)
            elements.close(name)
        }
    }

    private mutating func close(_ name: String, into events: inout [ListEvent]) {
        switch (name, elements.parent) {
        case ("loc", "image"):
            let location = content(into: &events)
            image?.location = location
        case ("title", "image"), ("caption", "image"):
            let title = content(into: &events)
            if image?.title == nil { image?.title = title }
        case ("image", _):
            if let image, let location = image.location {
                give(location, image.line, title: image.title, into: &events)
            }
            image = nil
        case ("loc", "sitemap"):
            if let location = content(into: &events) { give(location, elements.line, kind: .list, into: &events) }
        case ("loc", "url"):
            guard let location = content(into: &events) else { return }
            pages += 1
            if PageParser.isPicture(location) { give(location, elements.line, into: &events) }
        default: break
        }
    }

    /// The text of the element that closes; nil, and told, when it is not usable.
    private func content(into events: inout [ListEvent]) -> String? {
        do { return try elements.content() } catch {
            events.append(.rejected(line: elements.line, reason: error.description))
            return nil
        }
    }

    private func give(
        _ target: String, _ line: Int, title: String? = nil, kind: ListEntry.Kind = .picture,
        into events: inout [ListEvent]
    ) {
        do {
            var entry = ListEntry(line: line, location: try reference.location(target), title: title)
            entry.kind = kind
            if title?.isEmpty == true { entry.title = nil }
            events.append(.entry(entry))
        } catch {
            events.append(.rejected(line: line, reason: error.description))
        }
    }
}
