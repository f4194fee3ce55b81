import Foundation

/// The base URL of a page, a sitemap or a feed, which resolves its references.
struct PageReference: Hashable {
    private var base: String

    init(base: ListBase) {
        self.base = base.url
    }

    /// Sets the base that the document gives, itself relative to the current one; ignores other schemes than web and
    /// file.
    mutating func setBase(_ reference: String) {
        let url = URLReference.resolve(Self.clean(reference), against: base)
        let scheme = URLParts(url[...])?.scheme.lowercased()
        if ["http", "https", "file"].contains(scheme) { base = url }
    }

    /// Returns the location of a reference.
    func location(_ reference: String) throws(LocationError) -> String {
        let text = Self.clean(reference)
        guard !text.isEmpty else { throw .empty }
        guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .notUTF8 }
        return try Location.resolve(URLReference.resolve(text, against: base), from: "/")
    }

    /// Returns the reference as browsers read it: without blanks around it, and without line ends and TABs in it.
    private static func clean(_ reference: String) -> String {
        let trimmed = reference.trimmed
        guard trimmed.utf8.contains(where: \.isBlank) else { return String(trimmed) }
        return trimmed.filter { !$0.isNewline && $0 != "\t" }
    }
}
