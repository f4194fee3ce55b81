/// Parser of a sitemap: its pictures (Google's image extension), and the sitemaps of a sitemap index.
///
/// Ignores pages, unless the address has the extension of a picture. A sitemap of an index is an entry of the kind
/// ``ListEntry/Kind/list``.
struct SitemapParser: XMLListParser {
    var elements = XMLElements()
    private let reference: PageReference
    private var image: (line: Int, location: String?, title: String?)?
    private var pageCount = 0

    init(base: ListBase) {
        reference = PageReference(base: base)
    }

    var emptyReason: String? { "the sitemap contains no pictures, only pages: \(pageCount)" }

    mutating func open(_ tag: MarkupTag, line: Int, into events: inout [ListEvent]) {
        if tag.localName == "image" { image = (line, nil, nil) }
    }

    mutating func close(_ name: String, into events: inout [ListEvent]) {
        switch (name, elements.parent) {
        case ("loc", "image"):
            let location = content(into: &events)
            image?.location = location
        case ("title", "image"), ("caption", "image"):
            let title = content(into: &events)
            if image?.title == nil { image?.title = title }
        case ("image", _):
            if let image, let location = image.location {
                events.append(location, line: image.line, title: image.title, resolve: reference.location)
            }
            image = nil
        case ("loc", "sitemap"):
            guard let location = content(into: &events) else { return }
            events.append(location, line: elements.line, kind: .list, resolve: reference.location)
        case ("loc", "url"):
            guard let location = content(into: &events) else { return }
            pageCount += 1
            guard PictureType.isPicture(url: location[...]) else { return }
            events.append(location, line: elements.line, resolve: reference.location)
        default: break
        }
    }

    /// Returns the text of the closing element; appends a rejection if it cannot be used.
    private func content(into events: inout [ListEvent]) -> String? {
        do { return try elements.content() } catch {
            events.append(.rejected(line: elements.line, reason: error.description))
            return nil
        }
    }
}
