/// One line of editable text.
package struct TextField: Sendable, Equatable {
    /// The text, sanitized, at most `limit` characters.
    package private(set) var text = ""

    /// A proposed path at the end of the text that the user has not edited; empty otherwise.
    private var proposedPath = ""

    package static let limit = 4096

    package init() {}

    /// Appends a path that is removed when the user starts typing another one with `/` or `~`.
    package mutating func propose(path: String) {
        insert(path)
        proposedPath = path
    }

    /// Appends typed or pasted text.
    package mutating func insert(_ added: String) {
        let replaces = added.hasPrefix("/") || added.hasPrefix("~")
        if replaces, text.hasSuffix(proposedPath) { text.removeLast(proposedPath.count) }
        proposedPath = ""
        let clean = SafeText.clean(text + added, limit: TextField.limit * 2)
        text = String(clean.prefix(TextField.limit))
    }

    /// Handles an editing key.
    ///
    /// - Returns: false if the key has no meaning here.
    package mutating func handle(_ key: Key) -> Bool {
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
