/// Parser of a Metalink file (RFC 5854, and version 3): each file that is a picture, with its mirrors as alternatives and
/// its SHA-256.
struct MetalinkParser: XMLListParser {
    private struct File {
        let line: Int
        let name: String
        var addresses: [(address: String, priority: Int)] = []
        var sha256: String?
    }

    var elements = XMLElements()
    private let reference: PageReference
    private var file: File?
    /// The attributes of the last opening tag.
    private var attributes: [String: String] = [:]

    init(base: ListBase) { reference = PageReference(base: base) }

    var emptyReason: String? { "the Metalink file names no pictures" }

    mutating func open(_ tag: MarkupTag, line: Int, into events: inout [ListEvent]) {
        attributes = tag.attributes()
        if tag.localName == "file" { file = File(line: line, name: attributes["name"] ?? "") }
    }

    mutating func close(_ name: String, into events: inout [ListEvent]) {
        switch name {
        case "url":
            guard let count = file?.addresses.count, count <= ListEntry.alternativeLimit else { return }
            // Other mirrors, as those of FTP and BitTorrent, are for other programs.
            let scheme = URLParts(elements.content[...])?.scheme.lowercased() ?? "http"
            guard [scheme, attributes["type"]?.lowercased() ?? "http"].allSatisfy(["http", "https"].contains) else {
                return
            }
            // Version 3 has a preference, where 100 is the best.
            let preference = attributes["preference"].flatMap { Int($0) }.map { 100 - min(max($0, 0), 100) }
            let priority = attributes["priority"].flatMap { Int($0) } ?? preference ?? 999_999
            file?.addresses.append((elements.content, priority))
        case "hash" where ["sha-256", "sha256"].contains(attributes["type"]?.lowercased() ?? ""):
            if elements.parent != "pieces" { file?.sha256 = elements.content.lowercased() }
        case "file":
            defer { file = nil }
            guard let file else { return }
            let best = file.addresses.enumerated().sorted { ($0.1.priority, $0.0) < ($1.1.priority, $1.0) }.map(
                \.1.address)
            let isPicture = ([file.name] + best).contains { PictureFileDetector.isPicture(url: $0[...]) }
            guard let first = best.first, isPicture else { return }
            var found: [ListEvent] = []
            found.append(
                first, line: file.line, title: file.name, alternatives: Array(best.dropFirst()),
                resolve: reference.location)
            events += found.map { $0.with(sha256: file.sha256) }
        default: break
        }
    }
}

extension ListEvent {
    fileprivate func with(sha256: String?) -> ListEvent {
        guard case .entry(var entry) = self, let sha256, sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit) else {
            return self
        }
        entry.sha256 = sha256
        return .entry(entry)
    }
}
