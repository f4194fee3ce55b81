/// Parser of an RSS or Atom feed: the enclosures of its items, and their media (Media RSS) that are pictures.
///
/// The pictures get the title of their item. The versions in a `media:group` are one picture. A `media:thumbnail` is
/// the low-data version of the first picture, or the picture itself if there is no other. An item without any of these
/// has the pictures of its HTML.
struct FeedParser: XMLListParser {
    private struct Media {
        var line: Int
        var url: String
        var size = 0.0
        var alternatives: [String] = []
    }

    private struct Item {
        var title: String?
        var media: [Media] = []
        var thumbnail: Media?
        /// The versions in the open group, if any.
        var group: [Media]?
        /// The pictures of the HTML.
        var embedded: [ListEntry] = []
    }

    var elements = XMLElements()
    private var reference: PageReference
    private var item: Item?

    /// The maximum number of pictures that wait for the title of their item.
    private static let pendingLimit = 1024

    init(base: ListBase) {
        reference = PageReference(base: base)
    }

    var emptyReason: String? { "the feed contains no pictures" }

    mutating func open(_ tag: MarkupTag, line: Int, into events: inout [ListEvent]) {
        let name = tag.localName
        switch name {
        case "rss", "feed", "rdf": if let base = tag.attributes()["xml:base"] { reference.setBase(base) }
        case "item", "entry": item = Item()
        case "group": item?.group = []
        case "enclosure", "link", "content", "thumbnail", "img":
            if item != nil { openMedia(name, tag.attributes(), line, into: &events) }
        default: break
        }
    }

    private mutating func openMedia(
        _ name: String, _ attributes: [String: String], _ line: Int, into events: inout [ListEvent]
    ) {
        switch name {
        case "thumbnail":
            guard let url = attributes["url"], item?.thumbnail == nil else { return }
            item?.thumbnail = Media(line: line, url: url)
        case "img":
            guard let source = attributes["src"], let location = try? reference.location(source),
                (item?.embedded.count ?? 0) < Self.pendingLimit
            else { return }
            item?.embedded.append(ListEntry(line: line, location: location, title: attributes["alt"]))
        case "link":
            guard attributes["rel"]?.lowercased() == "enclosure" else { return }
            add(attributes["href"], attributes, line, into: &events)
        default: add(attributes["url"] ?? attributes["src"], attributes, line, into: &events)
        }
    }

    /// Adds a picture to the open group or to the item.
    private mutating func add(
        _ url: String?, _ attributes: [String: String], _ line: Int, into events: inout [ListEvent]
    ) {
        guard let url, Self.isPicture(url, attributes) else { return }
        let width = attributes["width"].flatMap { Double($0) } ?? 0
        let media = Media(line: line, url: url, size: attributes["isdefault"] == "true" ? .infinity : width)
        if let group = item?.group {
            if group.count < ListEntry.alternativeLimit { item?.group?.append(media) }
            return
        }
        item?.media.append(media)
        if let item, item.media.count >= Self.pendingLimit {
            for media in item.media { append(media, title: item.title, into: &events) }
            self.item?.media = []
        }
    }

    /// Returns whether the URL is a picture by its type, otherwise by its medium, otherwise by its extension.
    private static func isPicture(_ url: String, _ attributes: [String: String]) -> Bool {
        if let type = attributes["type"]?.lowercased(), type.contains("/"), type != "application/octet-stream" {
            return type.hasPrefix("image/")
        }
        if let medium = attributes["medium"] { return medium.lowercased() == "image" }
        return PictureFileDetector.isPicture(url: url[...])
    }

    // MARK: - Closing tags

    mutating func close(_ name: String, into events: inout [ListEvent]) {
        switch name {
        case "title" where elements.parent == "item" || elements.parent == "entry":
            let title = elements.content
            if item?.title == nil, !title.isEmpty { item?.title = title }
        case "group":
            if let best = Self.best(of: item?.group ?? []) { item?.media.append(best) }
            item?.group = nil
        case "description", "encoded", "content", "summary": readHTML()
        case "item", "entry": finishItem(into: &events)
        default: break
        }
    }

    /// Returns the first of the largest versions, with the others as its alternatives.
    private static func best(of group: [Media]) -> Media? {
        guard let index = group.indices.max(by: { group[$0].size < group[$1].size }) else { return nil }
        var best = group[index]
        best.alternatives = group.indices.filter { $0 != index }.map { group[$0].url }
        return best
    }

    /// Reads the pictures of the HTML in the closing element.
    private mutating func readHTML() {
        guard item?.embedded.isEmpty == true else { return }
        let text = elements.content
        guard text.utf8.contains(UInt8(ascii: "<")) else { return }
        var page = PageParser(reference)
        var events: [ListEvent] = []
        page.feed(Array(text.utf8), into: &events)
        item?.embedded = events.compactMap { event in
            guard case .entry(var entry) = event else { return nil }
            entry.line = elements.line
            return entry
        }
    }

    private mutating func finishItem(into events: inout [ListEvent]) {
        guard let item else { return }
        self.item = nil
        if item.media.isEmpty {
            for var entry in item.embedded {
                entry.title = entry.title ?? item.title
                events.append(.entry(entry))
            }
            if item.embedded.isEmpty, let thumbnail = item.thumbnail {
                append(thumbnail, title: item.title, into: &events)
            }
        }
        for (index, media) in item.media.enumerated() {
            append(media, title: item.title, lowData: index == 0 ? item.thumbnail?.url : nil, into: &events)
        }
    }

    private func append(_ media: Media, title: String?, lowData: String? = nil, into events: inout [ListEvent]) {
        events.append(
            media.url, line: media.line, title: title, alternatives: media.alternatives, lowData: lowData,
            resolve: reference.location)
    }
}
