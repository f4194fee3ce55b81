/// A tokenizer of `.netrc` files.
struct NetrcWords {
    struct Word: Equatable {
        var text: String
        var line: Int
    }

    private var rest: Substring
    private var line = 1

    init(_ text: String) { rest = text[...] }

    /// Returns the next keyword; skips comments, which begin with `#` at the start of a word.
    mutating func next() -> Word? {
        skipSpace()
        while rest.first == "#" {
            rest = rest.drop { !$0.isNewline }
            skipSpace()
        }
        return nextValue()
    }

    /// Returns the next word as a value, in which `#` does not begin a comment.
    mutating func value() throws(NetrcProblem) -> String {
        skipSpace()
        guard let word = nextValue() else { throw .missingValue }
        return word.text
    }

    /// Skips a macro: everything up to the next empty line.
    mutating func skipMacro() {
        while !rest.isEmpty {
            let text = rest.prefix { !$0.isNewline }
            rest = rest[text.endIndex...].dropFirst()
            line += 1
            if text.isEmpty { return }
        }
    }

    private mutating func nextValue() -> Word? {
        guard let first = rest.first else { return nil }
        if first == "\"" { return quoted() }
        let text = rest.prefix { !$0.isWhitespace }
        rest = rest[text.endIndex...]
        return Word(text: String(text), line: line)
    }

    private mutating func quoted() -> Word {
        rest = rest.dropFirst()
        let began = line
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            if character.isNewline { line += 1 }
            text.append(character == "\\" ? Self.unescaped(rest.popFirst()) : character)
        }
        return Word(text: text, line: began)
    }

    private static func unescaped(_ character: Character?) -> Character {
        switch character {
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        case let other?: other
        case nil: "\\"
        }
    }

    private mutating func skipSpace() {
        while let character = rest.first, character.isWhitespace {
            if character.isNewline { line += 1 }
            rest = rest.dropFirst()
        }
    }
}
