import AlcedoSupport

/// A text to look for in names and addresses, ignoring case: a word, a glob for their end, or a regular expression.
package struct TextPattern: Sendable, Hashable {
    package enum Form: Sendable, Hashable {
        case word, glob, regex
    }

    package let form: Form
    /// The text in lower case; a regular expression is unchanged.
    package let text: String
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// The parts of a glob between its stars.
    private let pieces: [String]
    private let expression: RegularExpression?

    /// Creates a glob for a text with `*` or a leading slash, otherwise a word.
    ///
    /// In a glob, `*` matches any characters, including slashes. If slashes enclose the text, as in `/*.png/`, both are
    /// removed.
    package init(_ text: String) {
        let isGlob = (text.contains("*") || text.hasPrefix("/")) && text != "*" && text != "/"
        let isEnclosed = isGlob && text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
        self.init(isGlob ? .glob : .word, (isEnclosed ? String(text.dropFirst().dropLast()) : text).lowercased())
    }

    /// Creates a regular expression in the syntax of PCRE2; nil if it is not valid.
    package init?(regex text: String) {
        guard let expression = RegularExpression(text) else { return nil }
        self.init(.regex, text, expression)
    }

    private init(_ form: Form, _ text: String, _ expression: RegularExpression? = nil) {
        (self.form, self.text, self.expression) = (form, text, expression)
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        pieces = form == .glob ? text.split(separator: "*", omittingEmptySubsequences: false).map(String.init) : []
    }

    /// Whether the pattern is a glob with a folder, which applies to paths.
    package var namesFolders: Bool { form == .glob && text.contains("/") }

    /// Returns whether the pattern matches a text.
    package func matches(_ text: String) -> Bool {
        switch form {
        case .word: isFound(in: text)
        case .glob: endsWithPieces(text.lowercased())
        case .regex: expression?.matches(text) ?? false
        }
    }

    /// Returns whether the word occurs in a text.
    ///
    /// Complexity: O(text × word) at worst.
    private func isFound(in text: String) -> Bool {
        guard isASCII else { return text.lowercased().contains(self.text) }
        return text.utf8.withContiguousStorageIfAvailable { isFound(in: $0) } ?? text.lowercased().contains(self.text)
    }

    /// Returns whether the pattern matches an address, as it is written or with its escapes decoded.
    package func isFound(inAddress address: String) -> Bool {
        matches(address) || address.utf8.contains(UInt8(ascii: "%")) && matches(AddressEncoder.decode(address))
    }

    /// Returns whether a word of ASCII characters occurs in a text; nil for other patterns.
    package func isFoundFast(in text: UnsafeBufferPointer<UInt8>) -> Bool? {
        form == .word && isASCII ? isFound(in: text) : nil
    }

    /// Returns the matches in a text, for highlighting.
    package func ranges(in text: String) -> [Range<String.Index>] {
        guard form == .regex else { return literalMatches(in: text) }
        return expression?.ranges(in: text) ?? []
    }

    private func literalMatches(in text: String) -> [Range<String.Index>] {
        let wanted = Array(self.text)
        var matches: [Range<String.Index>] = []
        var start = text.startIndex
        while start < text.endIndex {
            let tail = text[start...].prefix(wanted.count)
            if zip(tail, wanted).allSatisfy({ $0.lowercased() == $1.lowercased() }), tail.count == wanted.count {
                matches.append(start..<tail.endIndex)
                start = tail.endIndex
            } else {
                start = text.index(after: start)
            }
        }
        return matches
    }

    /// Returns whether `other` matches all texts that this pattern matches.
    package func narrows(_ other: TextPattern) -> Bool {
        form == .word && other.form == .word && text.hasPrefix(other.text)
    }

    /// Returns whether the parts of the glob occur in the text one after the other, the last one at its end.
    private func endsWithPieces(_ text: String) -> Bool {
        var rest = text[...]
        for piece in pieces.dropLast() where !piece.isEmpty {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(pieces.last ?? "")
    }

    private func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        guard text.count >= bytes.count else { return false }
        for start in 0...(text.count - bytes.count) where text[start].asciiLowercased == first {
            if matches(text, at: start) { return true }
        }
        return false
    }

    private func matches(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        for offset in 1..<max(1, bytes.count) where text[start + offset].asciiLowercased != bytes[offset] {
            return false
        }
        return true
    }
}

extension UInt8 {
    /// The ASCII letter in lower case; other bytes unchanged.
    package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
