/// Cuts HTML or XML that arrives in pieces into tags and text, and holds never more than one tag.
///
/// It keeps no stack, so nesting costs nothing, and skips comments, instructions and document types, so that no
/// entity is ever declared. A tag over the limit is left out and told.
struct MarkupScanner {
    private enum State: Hashable {
        case text
        /// After `<`.
        case start
        /// After `<!`.
        case exclamation
        /// Within a tag; the quote that is open, or 0.
        case tag(quote: UInt8)
        /// Within a comment; how many dashes came last.
        case comment(dashes: Int)
        case characterData
        case instruction
        /// Within a document type: how many brackets are open, and the quote that is, or 0.
        case declaration(depth: Int, quote: UInt8)
        /// Within an element that holds no tags, until it is closed.
        case raw(String)
    }

    /// In bytes.
    let limit: Int
    let dialect: MarkupDialect
    /// The line the reading is on.
    private(set) var line = 1
    private var first = 1
    private var state = State.text
    /// What is read since `<`, and in raw elements what may be their end.
    private var pending: [UInt8] = []
    private var isOverlong = false
    /// The last byte of the tag that is not blank.
    private var last: UInt8 = 0
    private var tokens: [MarkupToken] = []

    init(dialect: MarkupDialect, limit: Int = 64 * 1024) {
        self.dialect = dialect
        self.limit = limit
    }

    /// The tokens that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [MarkupToken] {
        var rest = bytes[...]
        while let byte = rest.first {
            if case .text = state {
                let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
                if end > rest.startIndex {
                    giveText(rest[..<end])
                    rest = rest[end...]
                    continue
                }
            }
            take(byte)
            rest = rest.dropFirst()
        }
        defer { tokens = [] }
        return tokens
    }

    /// What is wrong with the end.
    mutating func finish() -> MarkupToken? {
        switch state {
        case .text, .start: nil
        case .raw(let name): MarkupToken(line: first, content: .fault("<\(name)> is never closed"))
        default: MarkupToken(line: first, content: .fault("a tag that does not end"))
        }
    }

    private mutating func giveText(_ bytes: ArraySlice<UInt8>) {
        if dialect == .xml { tokens.append(MarkupToken(line: line, content: .text(Array(bytes)))) }
        line += bytes.count { $0 == UInt8(ascii: "\n") }
    }
}

// MARK: - One byte

extension MarkupScanner {
    private mutating func take(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        switch state {
        case .text: begin()
        case .start: start(byte)
        case .exclamation: exclamation(byte)
        case .tag(let quote): tag(byte, quote)
        case .comment(let dashes): comment(byte, dashes)
        case .characterData: characterData(byte)
        case .instruction: if byte == UInt8(ascii: ">") { state = .text }
        case .declaration(let depth, let quote): declaration(byte, depth, quote)
        case .raw(let name): raw(byte, name)
        }
    }

    private mutating func begin() {
        state = .start
        first = line
        pending.removeAll(keepingCapacity: true)
        isOverlong = false
        last = 0
    }

    private mutating func start(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "!"): state = .exclamation
        case UInt8(ascii: "?"): state = .instruction
        case UInt8(ascii: "<"): begin()
        case UInt8(ascii: "/"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"):
            state = .tag(quote: 0)
            keep(byte)
        default: state = .text
        }
    }

    private mutating func exclamation(_ byte: UInt8) {
        keep(byte)
        if pending == Array("--".utf8) {
            // So that `<!-->` is a comment, too.
            state = .comment(dashes: 2)
        } else if pending == Self.characterDataStart {
            state = .characterData
            pending.removeAll(keepingCapacity: true)
        } else if pending != [UInt8(ascii: "-")], !Self.characterDataStart.starts(with: pending) {
            state = .declaration(depth: 0, quote: 0)
            for byte in pending { declaration(byte) }
        }
    }

    private static let characterDataStart = Array("[CDATA[".utf8)

    private mutating func comment(_ byte: UInt8, _ dashes: Int) {
        switch byte {
        case UInt8(ascii: "-"): state = .comment(dashes: min(dashes + 1, 2))
        case UInt8(ascii: ">") where dashes == 2: state = .text
        default: state = .comment(dashes: 0)
        }
    }

    private mutating func declaration(_ byte: UInt8) {
        if case .declaration(let depth, let quote) = state { declaration(byte, depth, quote) }
    }

    /// Quotes count within brackets only: what stands there may hold any byte.
    private mutating func declaration(_ byte: UInt8, _ depth: Int, _ quote: UInt8) {
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

    private mutating func characterData(_ byte: UInt8) {
        guard byte == UInt8(ascii: ">"), pending.suffix(2) == [UInt8(ascii: "]"), UInt8(ascii: "]")] else {
            return keep(byte)
        }
        // Resolving references must find none here.
        let text = pending.dropLast(2).flatMap { $0 == UInt8(ascii: "&") ? Array("&amp;".utf8) : [$0] }
        give(isOverlong ? .fault(Self.tooLong) : .text(text))
    }
}

// MARK: - Tags

extension MarkupScanner {
    /// A quote opens behind an equals sign only: an apostrophe elsewhere is one.
    private mutating func tag(_ byte: UInt8, _ quote: UInt8) {
        if quote == 0, byte == UInt8(ascii: ">") { return close() }
        if quote == 0, last == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            state = .tag(quote: byte)
        } else if quote == byte {
            state = .tag(quote: 0)
        }
        if !byte.isBlank { last = quote == 0 ? byte : 0 }
        keep(byte)
    }

    private mutating func close() {
        if isOverlong { return give(.fault(Self.tooLong)) }
        if pending.first == UInt8(ascii: "/") {
            return give(.close(MarkupTag(pending.dropFirst()).localName))
        }
        let tag = MarkupTag(pending[...])
        give(.open(tag))
        if dialect == .xml, tag.isSelfClosing { give(.close(tag.localName)) }
        if dialect == .html, !tag.isSelfClosing, Self.rawElements.contains(tag.name) { state = .raw(tag.name) }
    }

    /// Elements of HTML whose content is no markup.
    private static let rawElements: Set<String> = [
        "script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp",
    ]

    private static let tooLong = "a tag longer than 64 KiB"

    private mutating func raw(_ byte: UInt8, _ name: String) {
        if byte == UInt8(ascii: "<") {
            pending = [byte]
        } else if !pending.isEmpty {
            pending.append((65...90).contains(byte) ? byte | 0x20 : byte)
            let end = Array("</\(name)".utf8)
            if pending == end {
                // What follows up to `>` belongs to the closing tag.
                state = .tag(quote: 0)
                pending.removeFirst()
            } else if !end.starts(with: pending) {
                pending.removeAll(keepingCapacity: true)
            }
        }
    }

    private mutating func give(_ content: MarkupToken.Content) {
        tokens.append(MarkupToken(line: first, content: content))
        state = .text
        pending.removeAll(keepingCapacity: true)
        isOverlong = false
    }

    private mutating func keep(_ byte: UInt8) {
        if pending.count >= limit {
            isOverlong = true
            // The end of character data must still be found, and may be cut here.
            pending.removeFirst(pending.count - 2)
        }
        if isOverlong, state != .characterData { return }
        pending.append(byte)
    }
}
