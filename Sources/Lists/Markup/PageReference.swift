import Foundation

/// Finds the places an HTML page or a sitemap refers to.
struct PageReference: Hashable {
    /// What relative references start from, a URL.
    private(set) var base: String

    init(base: ListBase) {
        self.base = base.url
    }

    /// Takes the page's own base, itself seen from the one before; one that is no web or file URL means nothing.
    mutating func rebase(_ reference: String) {
        let url = URLReference.resolve(Self.clean(reference), against: base)
        let scheme = URLParts(url[...])?.scheme.lowercased()
        if ["http", "https", "file"].contains(scheme) { base = url }
    }

    func location(_ reference: String) throws(LocationFault) -> String {
        let text = Self.clean(reference)
        guard !text.isEmpty else { throw .empty }
        guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .text }
        return try Location.resolve(URLReference.resolve(text, against: base), from: "/")
    }

    /// As browsers read it: blanks around it, and line ends and TABs in it, mean nothing.
    private static func clean(_ reference: String) -> String {
        let trimmed = reference.trimmed
        guard trimmed.utf8.contains(where: \.isBlank) else { return String(trimmed) }
        return trimmed.filter { !$0.isNewline && $0 != "\t" }
    }
}
