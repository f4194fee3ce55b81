/// The filter that the user types after `/`: a part of the name or place, ignoring case.
///
/// A leading `!` inverts it; a leading `~` makes it a regular expression, also ignoring case. A text with `*` is a glob
/// for the end of the name. Quotes around the whole text are removed.
struct RowFilter: Sendable, Equatable {
    let isInverse: Bool
    let isPattern: Bool
    private let needle: String
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// The parts of a glob between its stars; empty for other filters.
    private let pieces: [String]

    init(_ text: String) {
        isInverse = text.hasPrefix("!")
        let rest = isInverse ? text.dropFirst() : text[...]
        isPattern = rest.hasPrefix("~")
        needle = isPattern ? String(rest.dropFirst()) : Self.unquoted(rest.lowercased())
        let isGlob = !isPattern && needle.contains("*") && needle != "*"
        pieces = isGlob ? needle.split(separator: "*", omittingEmptySubsequences: false).map(String.init) : []
        bytes = Array(needle.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    private static func unquoted(_ text: String) -> String {
        let isQuoted = text.utf8.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        return isQuoted ? String(text.dropFirst().dropLast()) : text
    }

    private var isGlob: Bool { !pieces.isEmpty }

    /// Whether every item passes.
    var isEmpty: Bool { bytes.isEmpty }

    /// Whether it is an invalid regular expression, which no item passes.
    var isBroken: Bool { isPattern && !isEmpty && (try? Regex(needle)) == nil }

    /// Returns a predicate over the items of a table, by their indices.
    func test(_ items: ItemTable) -> (Int) -> Bool {
        guard !isEmpty else { return { _ in true } }
        let isInverse = isInverse
        if isGlob { return { matches(items.name(at: $0).lowercased()) != isInverse } }
        guard isPattern else { return { isFound(in: items, at: $0) != isInverse } }
        guard let pattern = try? Regex(needle).ignoresCase() else { return { _ in false } }
        return {
            (items.name(at: $0).contains(pattern) || items.place(at: $0).contains(pattern)) != isInverse
        }
    }

    private func isFound(in items: ItemTable, at index: Int) -> Bool {
        let isNamed = isASCII ? items.withName(at: index) { isFound(in: $0) } : isFound(in: items.name(at: index))
        return isNamed || isFound(in: items.place(at: index))
    }

    /// Whether a text matches, ignoring inversion.
    ///
    /// Complexity: O(text × needle) at worst.
    func isFound(in text: String) -> Bool {
        if isGlob { return matches(text.lowercased()) }
        guard isASCII else { return text.lowercased().contains(needle) }
        return text.utf8.withContiguousStorageIfAvailable { isFound(in: $0) } ?? text.lowercased().contains(needle)
    }

    /// A function that returns the matches in a text; none if the filter is inverse.
    typealias Matcher = (String) -> [Range<String.Index>]

    /// Returns a matcher to be reused for many texts, because compiling a regular expression takes time.
    func matcher() -> Matcher {
        guard !isEmpty, !isInverse else { return { _ in [] } }
        guard isPattern else { return literalMatches }
        guard let pattern = try? Regex(needle).ignoresCase() else { return { _ in [] } }
        return { $0.ranges(of: pattern).filter { !$0.isEmpty } }
    }

    private func literalMatches(in text: String) -> [Range<String.Index>] {
        let wanted = Array(needle)
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

    /// Whether everything this filter accepts was accepted by `other`, so that only those items need a test.
    func narrows(_ other: RowFilter) -> Bool {
        !isInverse && !other.isInverse && !isPattern && !other.isPattern && !isGlob && !other.isGlob
            && needle.hasPrefix(other.needle)
    }

    /// Whether the parts of the glob follow each other, and the last one ends the text.
    private func matches(_ text: String) -> Bool {
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
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
