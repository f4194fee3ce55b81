/// One line of typed text: the filter, the palette's search.
public struct TextField: Sendable, Equatable {
    /// Sanitised, at most `limit` characters.
    public private(set) var text = ""

    static let limit = 256

    init() {}

    /// Adds typed or pasted text at the end.
    mutating func insert(_ added: String) {
        let clean = SafeText.clean(text + added, limit: TextField.limit * 2)
        text = String(clean.prefix(TextField.limit))
    }

    /// Takes an editing key; false when the key means nothing here.
    mutating func take(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .backspace, .control("h"): text = String(text.dropLast())
        case .control("u"): text = ""
        case .control("w"): dropWord()
        default: return false
        }
        return true
    }

    private mutating func dropWord() {
        while text.last == " " { text.removeLast() }
        while let last = text.last, last != " " { text.removeLast() }
    }
}
