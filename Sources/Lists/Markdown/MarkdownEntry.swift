/// What a line of Markdown says of pictures: its images, its links to pictures, and the address or path that is all of it.
struct MarkdownEntry {
    let base: ListBase
    private let reference: PageReference

    init(base: ListBase) {
        self.base = base
        reference = PageReference(base: base)
    }

    func read(_ line: MarkdownLine, number: Int, into events: inout [ListEvent]) {
        if isPlace(line), let location = try? base.location(plain: line.content) {
            return events.append(.entry(ListEntry(line: number, location: location)))
        }
        for found in line.references where found.isImage || Self.leadsToPicture(found) {
            do {
                let location = try reference.location(String(found.target))
                let title = found.title.isEmpty ? nil : found.title
                events.append(.entry(ListEntry(line: number, location: location, title: title)))
            } catch {
                events.append(.rejected(line: number, reason: error.description))
            }
        }
    }

    /// Whether the line is an address or a path alone, as in plain text.
    private func isPlace(_ line: MarkdownLine) -> Bool {
        let text = line.content
        if PlainAddress.isWeb(PlainAddress.enclosed(text) ?? text) { return true }
        return line.references.isEmpty && PictureType.isPicture(name: String(text))
            && (line.isItem || !text.utf8.contains(UInt8(ascii: " ")))
    }

    /// By its name; a link that is alone may have none, but not that of something else.
    private static func leadsToPicture(_ found: MarkdownLine.Reference) -> Bool {
        if PageParser.isPicture(String(found.target)) { return true }
        guard found.isAlone, let parts = URLParts(found.target), PlainAddress.isWeb(found.target) else { return false }
        let name = parts.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        return name?.isEmpty == false && name?.contains(UInt8(ascii: ".")) == false
    }
}
