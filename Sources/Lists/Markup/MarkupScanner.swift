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
    /// Text between tags is dropped, but for that of styles and scripts.
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
        /// In a document type; the number of open brackets.
        case declaration(depth: Int)
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
    /// The text of the open style or script, up to ``rawLimit`` bytes.
    private var rawText: [UInt8] = []
    private static let rawLimit = 1 << 20
    /// The last byte of the tag that is not blank and not quoted.
    private var last: UInt8 = 0
    private var tokens: [MarkupToken] = []

    init(dialect: MarkupDialect, limit: Int = 64 * 1024) { (self.dialect, self.limit) = (dialect, limit) }

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
        case .declaration(let depth): consumeDeclaration(byte, depth)
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
            consumeDeclaration(byte, pending.count > 1 && pending[0] == UInt8(ascii: "[") ? 1 : 0)
        }
    }

    private static let characterDataStart = Array("[CDATA[".utf8)

    private mutating func consumeComment(_ byte: UInt8, _ dashes: Int) {
        switch byte {
        case UInt8(ascii: "-"): state = .comment(dashes: min(dashes + 1, 2))
        case UInt8(ascii: ">") where dashes == 2: state = .text
        // `--!>` ends a comment, too (HTML, 13.2.5.52).
        case UInt8(ascii: "!") where dashes == 2: break
        default: state = .comment(dashes: 0)
        }
    }

    private mutating func consumeDeclaration(_ byte: UInt8, _ depth: Int) {
        switch byte {
        case UInt8(ascii: "["): state = .declaration(depth: min(depth + 1, limit))
        case UInt8(ascii: "]"): state = .declaration(depth: max(depth - 1, 0))
        case UInt8(ascii: ">") where depth == 0: state = .text
        default: state = .declaration(depth: depth)
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
    /// Consumes a byte within a tag.
    ///
    /// A quote opens a value only after an equals sign; elsewhere it may be an apostrophe.
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
        if name == "style" || name == "script", rawText.count <= Self.rawLimit { rawText.append(byte) }
        if byte == UInt8(ascii: "<") {
            pending = [byte]
        } else if !pending.isEmpty {
            pending.append((65...90).contains(byte) ? byte | 0x20 : byte)
            let end = Array("</\(name)".utf8)
            if pending == end {
                // The bytes up to `>` belong to the closing tag.
                if rawText.count > Self.rawLimit {
                    let reason = "a \(name) is longer than 1 MiB; its pictures are left out"
                    tokens.append(MarkupToken(line: firstLine, content: .error(reason)))
                } else if !rawText.isEmpty {
                    tokens.append(MarkupToken(line: firstLine, content: .text(rawText.dropLast(end.count))))
                }
                rawText = []
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

/// A tag, parsed on demand.
struct MarkupTag: Hashable {
    /// The name in lower case.
    let name: String
    private let rest: ArraySlice<UInt8>

    /// Creates a tag from the bytes between `<` and `>`.
    init(_ bytes: ArraySlice<UInt8>) {
        let end = bytes.firstIndex { $0.isBlank || $0 == UInt8(ascii: "/") } ?? bytes.endIndex
        name = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        rest = bytes[end...]
    }

    /// Returns whether the tag contains one of some texts in lower case; ignores case.
    func contains(anyOf texts: [[UInt8]]) -> Bool {
        rest.indices.contains { start in
            texts.contains { text in
                text[0] == rest[start] | 0x20
                    && text.elementsEqual(rest[start...].prefix(text.count).lazy.map { $0 | 0x20 })
            }
        }
    }

    /// The name without its namespace prefix.
    var localName: String {
        name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }

    var isSelfClosing: Bool { rest.last == UInt8(ascii: "/") }

    /// Returns the values of the attributes by their names in lower case, with references resolved.
    ///
    /// The first of several attributes with the same name counts.
    func attributes() -> [String: String] {
        var found: [String: String] = [:]
        var bytes = rest
        while true {
            bytes = bytes.drop { $0.isBlank || $0 == UInt8(ascii: "/") }
            guard let first = bytes.first else { return found }
            // A name may begin with an equals sign, as in browsers. So every round consumes a byte.
            let name = [first] + Self.consume(&bytes, from: 1) { Self.endsName($0) }
            let value = Self.value(&bytes)
            let key = String(decoding: name, as: UTF8.self).lowercased()
            if found[key] == nil { found[key] = MarkupReference.resolve(value) }
        }
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }

    /// Consumes and returns the value after a name; an empty text if it has none.
    private static func value(_ bytes: inout ArraySlice<UInt8>) -> String {
        let next = bytes.drop(while: \.isBlank)
        guard next.first == UInt8(ascii: "=") else { return "" }
        bytes = next.dropFirst().drop(while: \.isBlank)
        let value: ArraySlice<UInt8>
        if let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            value = consume(&bytes, from: 1) { $0 == quote }
            bytes = bytes.dropFirst()
        } else {
            value = consume(&bytes, from: 0, until: \.isBlank)
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// Consumes the bytes up to an end mark; returns them without the first `count`.
    private static func consume(
        _ bytes: inout ArraySlice<UInt8>, from count: Int, until isEnd: (UInt8) -> Bool
    ) -> ArraySlice<UInt8> {
        let body = bytes.dropFirst(count)
        let end = body.firstIndex(where: isEnd) ?? body.endIndex
        bytes = bytes[end...]
        return body[..<end]
    }
}

/// Character references: the five predefined names of XML, and numbers.
///
/// Other entities are never expanded.
enum MarkupReference {
    private static let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    /// The maximum number of bytes between `&` and `;`.
    private static let limit = 10

    /// Returns the text with its references resolved.
    ///
    /// Other text after `&` stays, as in browsers.
    static func resolve(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            if let (character, end) = first(of: rest) {
                result += character
                rest = rest[end...]
            } else {
                result += "&"
                rest = rest.dropFirst(bytes: 1)
            }
        }
        return result + rest
    }

    /// Returns the character of the reference at the beginning, and the end of the reference.
    private static func first(of text: Substring) -> (String, String.Index)? {
        let body = text.utf8.dropFirst().prefix(limit + 1)
        guard let end = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let after = text.utf8.index(after: end)
        let name = text[body.startIndex..<end]
        if let character = names[String(name)] { return (character, after) }
        guard name.utf8.first == UInt8(ascii: "#") else { return nil }
        let digits = name.dropFirst(bytes: 1)
        let isHex = digits.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let code = isHex ? UInt32(digits.dropFirst(bytes: 1), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map { (String($0), after) }
    }
}
