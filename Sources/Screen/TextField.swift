import Raster

/// One line of editable text with a cursor.
package struct TextField: Sendable, Equatable {
    /// The text, sanitized, at most `limit` characters.
    package private(set) var text = ""
    /// The number of characters before the cursor.
    package private(set) var cursor = 0
    /// The characters that typed text replaces; nil if there are none.
    package private(set) var selection: Range<Int>?

    /// The number of characters at the start that stay, such as the word of a command.
    private var fixedCount = 0

    /// A proposed path at the end of the text that the user has not edited; empty otherwise.
    private var proposedPath = ""

    package static let limit = 4096

    package init(_ text: String = "") { insert(text) }

    /// Appends a path that is removed when the user starts typing another one with `/` or `~`.
    package mutating func propose(path: String) {
        insert(path)
        proposedPath = path
    }

    /// The text at the start that stays.
    package var fixedText: String { String(text.prefix(fixedCount)) }

    /// Keeps the text up to the cursor from being edited.
    package mutating func fixText() { fixedCount = cursor }

    /// Appends the name of a file, of which typed text replaces all but the extension.
    package mutating func propose(name: String) {
        let start = cursor
        insert(name)
        let dot = text.dropFirst(start).lastIndex(of: ".").map { text.distance(from: text.startIndex, to: $0) }
        cursor = dot.flatMap { $0 > start ? $0 : nil } ?? cursor
        selection = cursor > start ? start..<cursor : nil
    }

    /// Selects the whole text.
    package mutating func selectAll() {
        cursor = text.count
        selection = cursor > fixedCount ? fixedCount..<cursor : nil
    }

    /// Inserts typed or pasted text at the cursor, in place of the selection.
    package mutating func insert(_ added: String) {
        let replaces = added.hasPrefix("/") || added.hasPrefix("~")
        if replaces, !proposedPath.isEmpty, cursor == text.count, text.hasSuffix(proposedPath) {
            remove(cursor - proposedPath.count..<cursor)
        }
        if let selection { remove(selection) }
        proposedPath = ""
        let rest = text.dropFirst(cursor)
        let clean = SafeText.clean(text.prefix(cursor) + added, limit: TextField.limit * 2)
        text = String((clean + rest).prefix(TextField.limit))
        cursor = min(clean.count, text.count)
    }

    /// Handles an editing key.
    ///
    /// - Returns: false if the key has no meaning here.
    package mutating func handle(_ key: Key) -> Bool {
        let chosen = selection
        switch key {
        case .character(let character): insert(String(character))
        case .backspace, .control("h"): remove(chosen ?? max(fixedCount, cursor - 1)..<cursor)
        case .delete, .control("d"): remove(chosen ?? cursor..<min(text.count, cursor + 1))
        case .control("u"): remove(fixedCount..<cursor)
        case .control("k"): remove(cursor..<text.count)
        case .control("w"): remove(wordStart..<cursor)
        case .left: cursor = chosen?.lowerBound ?? max(fixedCount, cursor - 1)
        case .right: cursor = chosen?.upperBound ?? min(text.count, cursor + 1)
        case .home, .control("a"): cursor = fixedCount
        case .end, .control("e"): cursor = text.count
        default: return false
        }
        (selection, proposedPath) = (nil, "")
        return true
    }

    private mutating func remove(_ range: Range<Int>) {
        text = String(text.prefix(range.lowerBound) + text.dropFirst(range.upperBound))
        (cursor, selection) = (range.lowerBound, nil)
    }

    /// The start of the word before the cursor.
    private var wordStart: Int {
        var head = text.prefix(cursor)
        while head.last == " " { head.removeLast() }
        while let last = head.last, last != " " { head.removeLast() }
        return max(fixedCount, head.count)
    }
}

extension Canvas {
    /// Writes a field with its selection, as much of it as has room around its cursor.
    ///
    /// - Returns: The column after it, and that of the cursor.
    package mutating func write(
        _ field: TextField, _ column: Int, _ row: Int, width: Int, _ style: Style
    ) -> (end: Int, cursor: Int) {
        let head = String(field.text.prefix(field.cursor))
        let isWhole = CellWidth.of(field.text) < width
        if !isWhole, CellWidth.of(head) >= width {
            let shown = glyphs.ellipsis + Fitting.suffix(head, to: max(0, width - 2))
            let end = write(shown, column, row, width: width, style)
            return (end, end)
        }
        let shown = isWhole ? field.text : Fitting.truncate(field.text, to: width, ellipsis: glyphs.ellipsis)
        let end = write(shown, column, row, width: width, style)
        if let selection = field.selection {
            let start = CellWidth.of(String(field.text.prefix(selection.lowerBound)))
            select(column + start, row, width: CellWidth.of(head) - start)
        }
        return (end, column + CellWidth.of(head))
    }
}
