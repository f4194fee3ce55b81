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
            image?.location = elements.content
        case ("title", "image"), ("caption", "image"):
            if image?.title == nil { image?.title = elements.content }
        case ("image", _):
            if let image, let location = image.location {
                events.append(location, line: image.line, title: image.title, resolve: reference.location)
            }
            image = nil
        case ("loc", "sitemap"):
            events.append(elements.content, line: elements.line, kind: .list, resolve: reference.location)
        case ("loc", "url"):
            pageCount += 1
            let location = elements.content
            guard PictureFileDetector.isPicture(url: location[...]) else { return }
            events.append(location, line: elements.line, resolve: reference.location)
        default: break
        }
    }
}

/// A parser of an XML list that acts when elements open and close.
protocol XMLListParser: ListParser {
    var elements: XMLElements { get set }

    mutating func open(_ tag: MarkupTag, line: Int, into events: inout [ListEvent])

    /// Called while the element is still in `elements`.
    mutating func close(_ name: String, into events: inout [ListEvent])
}

extension XMLListParser {
    var line: Int { elements.scanner.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for token in elements.scanner.feed(bytes) {
            switch token.content {
            case .error(let reason): events.append(.rejected(line: token.line, reason: reason))
            case .text(let bytes): elements.append(bytes)
            case .open(let tag):
                elements.open(tag, line: token.line)
                open(tag, line: token.line, into: &events)
            case .close(let name):
                close(name, into: &events)
                elements.close(name)
            }
        }
    }

    var truncation: Truncation? {
        guard let root = elements.path.first else { return elements.scanner.truncation }
        return Truncation(line: elements.scanner.line, reason: "the XML ends before </\(root)>")
    }
}

/// The open elements of an XML document, and the text since the last opening tag.
struct XMLElements {
    fileprivate var scanner = MarkupScanner(dialect: .xml)
    /// The local names of the open elements, up to a maximum depth.
    private(set) var path: [String] = []
    /// The line of the last opening tag.
    private(set) var line = 1
    private var text: [UInt8] = []

    private static let depthLimit = 16
    private static let textLimit = 64 * 1024

    /// The name of the parent of the current element; nil at the root.
    var parent: String? { path.dropLast().last }

    fileprivate mutating func open(_ tag: MarkupTag, line: Int) {
        if path.count < Self.depthLimit { path.append(tag.localName) }
        text.removeAll(keepingCapacity: true)
        self.line = line
    }

    fileprivate mutating func append(_ bytes: [UInt8]) {
        if text.count <= Self.textLimit { text += bytes }
    }

    /// Closes the innermost open element of that name and the elements in it; does nothing if there is none.
    fileprivate mutating func close(_ name: String) {
        text.removeAll(keepingCapacity: true)
        if let depth = path.lastIndex(of: name) { path.removeSubrange(depth...) }
    }

    /// The text of the closing element; empty if it is longer than 64 KiB, as an address must not be cut.
    var content: String {
        guard text.count <= Self.textLimit else { return "" }
        return String(MarkupReference.resolve(String(decoding: text, as: UTF8.self)).trimmed)
    }
}
