/// One line of typed text: the filter, the palette's search.
package struct TextField: Sendable, Equatable {
    /// Sanitised, at most `limit` characters.
    package private(set) var text = ""

    /// A path at the end of the text that the user has not touched; empty otherwise.
    private var proposedPath = ""

    static let limit = 256

    init() {}

    /// Adds a path that goes when the user begins one of his own with `/` or `~`.
    mutating func propose(path: String) {
        insert(path)
        proposedPath = path
    }

    /// Adds typed or pasted text at the end.
    mutating func insert(_ added: String) {
        let replaces = added.hasPrefix("/") || added.hasPrefix("~")
        if replaces, text.hasSuffix(proposedPath) { text.removeLast(proposedPath.count) }
        proposedPath = ""
        let clean = SafeText.clean(text + added, limit: TextField.limit * 2)
        text = String(clean.prefix(TextField.limit))
    }

    /// Takes an editing key; false when the key means nothing here.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .backspace, .control("h"): text = String(text.dropLast())
        case .control("u"): text = ""
        case .control("w"): dropWord()
        default: return false
        }
        proposedPath = ""
        return true
    }

    private mutating func dropWord() {
        while text.last == " " { text.removeLast() }
        while let last = text.last, last != " " { text.removeLast() }
    }
}
