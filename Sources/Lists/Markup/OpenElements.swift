/// The elements of XML that are open, and the text of the one that was opened last.
struct OpenElements {
    /// Their local names; of those too deep nothing is kept.
    private(set) var path: [String] = []
    /// The line the last one begins on.
    private(set) var line = 1
    private var text: [UInt8] = []

    private static let depthLimit = 16
    private static let textLimit = 64 * 1024

    /// The name of the element around the last one.
    var parent: String? { path.dropLast().last }

    mutating func open(_ tag: MarkupTag, line: Int) {
        if path.count < Self.depthLimit { path.append(tag.localName) }
        text.removeAll(keepingCapacity: true)
        self.line = line
    }

    mutating func add(_ bytes: [UInt8]) {
        if text.count <= Self.textLimit { text += bytes }
    }

    /// Closes the last one of the name; a stray closing tag closes nothing.
    mutating func close(_ name: String) {
        text.removeAll(keepingCapacity: true)
        if let depth = path.lastIndex(of: name) { path.removeSubrange(depth...) }
    }

    /// The text of the element that closes; throws where it is not usable.
    func content() throws(FieldFault) -> String {
        let raw = String(decoding: text, as: UTF8.self)
        if text.count > Self.textLimit { throw FieldFault("a text longer than 64 KiB") }
        if MarkupReference.hasForeignEntity(raw) {
            throw FieldFault("an entity that is not XML's own; none is expanded")
        }
        return String(MarkupReference.resolve(raw).trimmed)
    }
}
