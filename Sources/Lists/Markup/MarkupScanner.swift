/// A piece of HTML or XML, with the line on which it begins.
struct MarkupToken: Hashable {
    enum Content: Hashable {
        case open(MarkupTag)
        /// The name in lower case, without a prefix.
        case close(String)
        /// A part of the text between tags, references not resolved.
        case text([UInt8])
        /// The reason why a tag was left out.
        case error(String)
    }

    var line: Int
    var content: Content
}

enum MarkupDialect: Hashable {
    /// Scripts, styles and titles hold no tags.
    ///
    /// Text between tags is dropped.
    case html
    /// Text is returned, and a self-closing tag closes.
    case xml
}

/// Splits HTML or XML into tags and text; holds one tag at most.
///
/// Keeps no stack, so nesting costs nothing. Skips comments, instructions and document types, so that nothing declares
/// entities. A tag over the limit becomes an error.
struct MarkupScanner {
    private enum State: Hashable {
        case text
        /// After `<`.
        case tagStart
        /// After `<!`.
        case exclamation
        /// In a tag; the open quote, or 0.
        case tag(quote: UInt8)
        /// In a comment; the number of dashes before the current byte, at most 2.
        case comment(dashes: Int)
        case characterData
        case instruction
        /// In a document type; the number of open brackets, and the open quote or 0.
        case declaration(depth: Int, quote: UInt8)
        /// In an element that holds no tags.
        case raw(String)
    }

    /// The maximum length of a tag in bytes.
    let limit: Int
    let dialect: MarkupDialect
    /// The number of the current line.
    private(set) var line = 1
    private var firstLine = 1
    private var state = State.text
    /// The bytes since `<`; in a raw element, those that may be its closing tag.
    private var pending: [UInt8] = []
    private var isTooLong = false
    /// The last byte of the tag that is not blank and not quoted.
    private var last: UInt8 = 0
    private var tokens: [MarkupToken] = []

    init(dialect: MarkupDialect, limit: Int = 64 * 1024) {
        self.dialect = dialect
        self.limit = limit
    }

    /// Returns the tokens that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [MarkupToken] {
        var rest = bytes[...]
        while let byte = rest.first {
            if case .text = state {
                let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
                if end > rest.startIndex {
                    appendText(rest[..<end])
                    rest = rest[end...]
                    continue
                }
            }
            consume(byte)
            rest = rest.dropFirst()
        }
        defer { tokens = [] }
        return tokens
    }

    /// The incomplete construct, if the bytes end here.
    var truncation: Truncation? {
        switch state {
        case .text, .tagStart: nil
        case .raw(let name): Truncation(line: firstLine, reason: "<\(name)> is never closed")
        default: Truncation(line: firstLine, reason: "a tag has no end")
        }
    }

    private mutating func appendText(_ bytes: ArraySlice<UInt8>) {
        if dialect == .xml { tokens.append(MarkupToken(line: line, content: .text(Array(bytes)))) }
        line += bytes.count { $0 == UInt8(ascii: "\n") }
    }
}

// MARK: - One byte

extension MarkupScanner {
    private mutating func consume(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        switch state {
        case .text: beginTag()
        case .tagStart: consumeTagStart(byte)
        case .exclamation: consumeExclamation(byte)
        case .tag(let quote): consumeTag(byte, quote)
        case .comment(let dashes): consumeComment(byte, dashes)
        case .characterData: consumeCharacterData(byte)
        case .instruction: if byte == UInt8(ascii: ">") { state = .text }
        case .declaration(let depth, let quote): consumeDeclaration(byte, depth, quote)
        case .raw(let name): consumeRaw(byte, name)
        }
    }

    private mutating func beginTag() {
        state = .tagStart
        firstLine = line
        pending.removeAll(keepingCapacity: true)
        isTooLong = false
        last = 0
    }

    private mutating func consumeTagStart(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "!"): state = .exclamation
        case UInt8(ascii: "?"): state = .instruction
        case UInt8(ascii: "<"): beginTag()
        case UInt8(ascii: "/"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"):
            state = .tag(quote: 0)
            append(byte)
        default: state = .text
        }
    }

    private mutating func consumeExclamation(_ byte: UInt8) {
        append(byte)
        if pending == Array("--".utf8) {
            // These dashes also count for the end: `<!-->` is a comment.
            state = .comment(dashes: 2)
        } else if pending == Self.characterDataStart {
            state = .characterData
            pending.removeAll(keepingCapacity: true)
        } else if pending != [UInt8(ascii: "-")], !Self.characterDataStart.starts(with: pending) {
            state = .declaration(depth: 0, quote: 0)
            for byte in pending {
                if case .declaration(let depth, let quote) = state { consumeDeclaration(byte, depth, quote) }
            }
        }
    }

    private static let characterDataStart = Array("[CDATA[".utf8)

    private mutating func consumeComment(_ byte: UInt8, _ dashes: Int) {
        switch byte {
        case UInt8(ascii: "-"): state = .comment(dashes: min(dashes + 1, 2))
        case UInt8(ascii: ">") where dashes == 2: state = .text
        default: state = .comment(dashes: 0)
        }
    }

    /// Quotes count within brackets only, where quoted text may hold brackets.
    private mutating func consumeDeclaration(_ byte: UInt8, _ depth: Int, _ quote: UInt8) {
        switch byte {
        case quote where quote != 0: state = .declaration(depth: depth, quote: 0)
        case _ where quote != 0: break
        case UInt8(ascii: "\""), UInt8(ascii: "'"): if depth > 0 { state = .declaration(depth: depth, quote: byte) }
        case UInt8(ascii: "["): state = .declaration(depth: min(depth + 1, limit), quote: 0)
        case UInt8(ascii: "]"): state = .declaration(depth: max(depth - 1, 0), quote: 0)
        case UInt8(ascii: ">") where depth == 0: state = .text
        default: break
        }
    }

    private mutating func consumeCharacterData(_ byte: UInt8) {
        guard byte == UInt8(ascii: ">"), pending.suffix(2) == [UInt8(ascii: "]"), UInt8(ascii: "]")] else {
            return append(byte)
        }
        // Character data has no references: the escape keeps a `&` from beginning one.
        let text = pending.dropLast(2).flatMap { $0 == UInt8(ascii: "&") ? Array("&amp;".utf8) : [$0] }
        append(isTooLong ? .error(Self.tooLong) : .text(text))
    }
}

// MARK: - Tags

extension MarkupScanner {
    /// A quote opens behind an equals sign only; elsewhere it may be an apostrophe.
    private mutating func consumeTag(_ byte: UInt8, _ quote: UInt8) {
        if quote == 0, byte == UInt8(ascii: ">") { return finishTag() }
        if quote == 0, last == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            state = .tag(quote: byte)
        } else if quote == byte {
            state = .tag(quote: 0)
        }
        if !byte.isBlank { last = quote == 0 ? byte : 0 }
        append(byte)
    }

    private mutating func finishTag() {
        if isTooLong { return append(.error(Self.tooLong)) }
        if pending.first == UInt8(ascii: "/") {
            return append(.close(MarkupTag(pending.dropFirst()).localName))
        }
        let tag = MarkupTag(pending[...])
        append(.open(tag))
        if dialect == .xml, tag.isSelfClosing { append(.close(tag.localName)) }
        if dialect == .html, !tag.isSelfClosing, Self.rawElements.contains(tag.name) { state = .raw(tag.name) }
    }

    /// The elements of HTML whose content is not markup.
    private static let rawElements: Set<String> = [
        "script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp",
    ]

    private static let tooLong = "a tag is longer than 64 KiB"

    private mutating func consumeRaw(_ byte: UInt8, _ name: String) {
        if byte == UInt8(ascii: "<") {
            pending = [byte]
        } else if !pending.isEmpty {
            pending.append((65...90).contains(byte) ? byte | 0x20 : byte)
            let end = Array("</\(name)".utf8)
            if pending == end {
                // The bytes up to `>` belong to the closing tag.
                state = .tag(quote: 0)
                pending.removeFirst()
            } else if !end.starts(with: pending) {
                pending.removeAll(keepingCapacity: true)
            }
        }
    }

    private mutating func append(_ content: MarkupToken.Content) {
        tokens.append(MarkupToken(line: firstLine, content: content))
        state = .text
        pending.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    private mutating func append(_ byte: UInt8) {
        if pending.count >= limit {
            isTooLong = true
            // The last two bytes may begin the end of the character data.
            pending.removeFirst(pending.count - 2)
        }
        if isTooLong, state != .characterData { return }
        pending.append(byte)
    }
}
