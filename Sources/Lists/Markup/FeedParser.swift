/// Reads an RSS or Atom feed: the enclosures of its items, and their media (Media RSS) that are pictures.
///
/// The item's title is that of its pictures. The versions in a `media:group` are one picture; a `media:thumbnail` is the
/// low-data version of the item's picture, or the picture itself where there is no other. An item that names none so has
/// those of its HTML.
struct FeedParser: ListParser {
    private struct Media {
        var line: Int
        var url: String
        var size = 0.0
        var others: [String] = []
    }

    private var scanner = MarkupScanner(dialect: .xml)
    private var reference: PageReference
    private var elements = OpenElements()
    private var title: String?
    private var media: [Media] = []
    private var thumbnail: Media?
    /// The pictures of the group that is open; nil where none is.
    private var group: [Media]?
    /// What the item's HTML names.
    private var shown: [ListEntry] = []
    private var isEmpty = true

    /// So many pictures of one item are held back for its title.
    private static let itemLimit = 1024

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
        if isEmpty { events.append(.rejected(line: scanner.line, reason: "the feed ends and names no picture")) }
    }

    var missingEnd: MissingEnd? {
        elements.path.first.map { MissingEnd(line: scanner.line, reason: "the feed ends before its </\($0)>") }
    }

    private mutating func read(_ token: MarkupToken, into events: inout [ListEvent]) {
        switch token.content {
        case .fault(let reason): events.append(.rejected(line: token.line, reason: reason))
        case .text(let bytes): elements.add(bytes)
        case .open(let tag):
            elements.open(tag, line: token.line)
            open(tag, token.line, into: &events)
        case .close(let name):
            close(name, into: &events)
            elements.close(name)
        }
    }

    private mutating func open(_ tag: MarkupTag, _ line: Int, into events: inout [ListEvent]) {
        switch tag.localName {
        case "rss", "feed", "rdf": if let base = tag.attributes()["xml:base"] { reference.rebase(base) }
        case "item", "entry": begin()
        case "group": group = []
        case "enclosure": add(tag.attributes(), "url", line, into: &events)
        case "link":
            let attributes = tag.attributes()
            if attributes["rel"]?.lowercased() == "enclosure" { add(attributes, "href", line, into: &events) }
        case "content":
            let attributes = tag.attributes()
            add(attributes, attributes["url"] == nil ? "src" : "url", line, into: &events)
        case "thumbnail":
            guard let url = tag.attributes()["url"], thumbnail == nil, isInItem else { return }
            thumbnail = Media(line: line, url: url)
        case "img":
            let attributes = tag.attributes()
            guard isInItem, shown.count < Self.itemLimit,
                let place = attributes["src"].flatMap({ try? reference.location($0) })
            else { return }
            shown.append(ListEntry(line: line, location: place, title: attributes["alt"]))
        default: break
        }
    }

    private var isInItem: Bool { elements.path.contains("item") || elements.path.contains("entry") }

    private mutating func begin() {
        (title, media, thumbnail, group, shown) = (nil, [], nil, nil, [])
    }

    private mutating func add(
        _ attributes: [String: String], _ name: String, _ line: Int, into events: inout [ListEvent]
    ) {
        guard isInItem, let url = attributes[name], Self.isPicture(url, attributes) else { return }
        let width = attributes["width"].flatMap { Double($0) } ?? 0
        let found = Media(line: line, url: url, size: attributes["isdefault"] == "true" ? .infinity : width)
        if let known = group {
            if known.count < ListEntry.alternativeLimit { group = known + [found] }
            return
        }
        media.append(found)
        guard media.count >= Self.itemLimit else { return }
        for found in media { give(found, into: &events) }
        media = []
    }

    /// By its type, else its medium, else its name.
    private static func isPicture(_ url: String, _ attributes: [String: String]) -> Bool {
        if let type = attributes["type"]?.lowercased(), type.contains("/"), type != "application/octet-stream" {
            return type.hasPrefix("image/")
        }
        if let medium = attributes["medium"] { return medium.lowercased() == "image" }
        return PageParser.isPicture(url)
    }
}

// MARK: - What closes

extension FeedParser {
    private mutating func close(_ name: String, into events: inout [ListEvent]) {
        switch name {
        case "title" where elements.parent == "item" || elements.parent == "entry":
            guard title == nil else { return }
            do { title = try elements.content() } catch {
                events.append(.noted(line: elements.line, reason: error.description))
            }
        case "group":
            if let best = Self.best(of: group ?? []) { media.append(best) }
            group = nil
        case "description", "encoded", "content", "summary": if isInItem { readPage() }
        case "item", "entry": end(into: &events)
        default: break
        }
    }

    /// The first of the largest; the others are its alternatives.
    private static func best(of group: [Media]) -> Media? {
        guard let place = group.indices.max(by: { group[$0].size < group[$1].size }) else { return nil }
        var best = group[place]
        best.others = group.indices.filter { $0 != place }.map { group[$0].url }
        return best
    }

    /// Takes the pictures of the HTML that closes, where it has some.
    private mutating func readPage() {
        guard shown.isEmpty, let text = try? elements.content(), text.utf8.contains(UInt8(ascii: "<")) else { return }
        var page = PageParser(reference)
        var events: [ListEvent] = []
        page.feed(Array(text.utf8), into: &events)
        shown = events.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
        for place in shown.indices { shown[place].line = elements.line }
    }

    private mutating func end(into events: inout [ListEvent]) {
        let pictures = media.isEmpty && shown.isEmpty ? [thumbnail].compactMap(\.self) : media
        for (place, found) in pictures.enumerated() { give(found, isFirst: place == 0, into: &events) }
        if pictures.isEmpty {
            for var entry in shown {
                entry.title = entry.title ?? usableTitle
                events.append(.entry(entry))
            }
        }
        begin()
    }

    private var usableTitle: String? { title?.isEmpty == false ? title : nil }

    private func give(_ found: Media, isFirst: Bool = false, into events: inout [ListEvent]) {
        do {
            var entry = ListEntry(line: found.line, location: try reference.location(found.url), title: usableTitle)
            for case let other? in found.others.map({ try? reference.location($0) }) where other != entry.location {
                entry.alternatives.append(other)
            }
            if isFirst, let small = thumbnail.flatMap({ try? reference.location($0.url) }), small != entry.location {
                entry.lowData = small
            }
            events.append(.entry(entry))
        } catch {
            events.append(.rejected(line: found.line, reason: error.description))
        }
    }
}
