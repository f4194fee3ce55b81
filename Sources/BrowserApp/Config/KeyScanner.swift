/// Reads the key or the table header at the start of a line of valid TOML.
struct KeyScanner {
    private static let mostParts = 8
    private let line: [Unicode.Scalar]
    private var index = 0
    /// From 1, in Unicode scalars; for a header, both are the column of its bracket.
    private(set) var keyColumn = 1
    private(set) var valueColumn = 1

    init(_ line: some Sequence<Unicode.Scalar>) { self.line = Array(line) }

    /// Returns the names in `[a.b]` or `[[a.b]]`; nil if the line is not a header.
    mutating func header() -> [String]? {
        skipBlanks()
        (keyColumn, valueColumn) = (index + 1, index + 1)
        guard current == "[" else { return nil }
        for _ in 0..<2 where current == "[" { index += 1 }
        return names()
    }

    /// Returns whether the line starts like a header but is not a valid one.
    mutating func isBrokenHeader() -> Bool {
        let names = header()
        return names == nil && line.dropFirst(keyColumn - 1).first == "["
    }

    /// Returns the names in `a.b = …`; nil if the line does not start with a key.
    mutating func key() -> [String]? {
        skipBlanks()
        keyColumn = index + 1
        guard let names = names(), current == "=" else { return nil }
        index += 1
        skipBlanks()
        valueColumn = index + 1
        return names
    }

    private var current: Unicode.Scalar? { index < line.count ? line[index] : nil }

    private mutating func skipBlanks() {
        while let scalar = current, scalar == " " || scalar == "\t" { index += 1 }
    }

    private mutating func names() -> [String]? {
        var names: [String] = []
        repeat {
            if !names.isEmpty { index += 1 }
            skipBlanks()
            guard let name = current == "\"" || current == "'" ? quotedName() : bareName() else { return nil }
            if names.count < Self.mostParts { names.append(name) }
            skipBlanks()
        } while current == "."
        return names
    }

    private mutating func bareName() -> String? {
        let start = index
        while let scalar = current, scalar.isBareKey { index += 1 }
        return index == start ? nil : String(String.UnicodeScalarView(line[start..<index]))
    }

    private mutating func quotedName() -> String? {
        guard let quote = current else { return nil }
        var name = String.UnicodeScalarView()
        index += 1
        while let scalar = current, scalar != quote {
            if scalar == "\\", quote == "\"" { index += 1 }
            if let scalar = current { name.append(scalar) }
            index += 1
        }
        index += 1
        return String(name)
    }
}

extension Unicode.Scalar {
    fileprivate var isBareKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}

/// The part of a value that continues on the next line: a multi-line string or open brackets.
struct OpenValue {
    private var quote: Unicode.Scalar?
    /// The open brackets, the innermost last.
    private var brackets: [Unicode.Scalar] = []
    /// The first construct of the last line that would abort the parser: a `}` that closes a `[`, or a date's `T`
    /// without a time; columns count from 1.
    private(set) var trap: (what: String, column: Int)?

    /// Whether the next line starts outside of a value.
    var isClosed: Bool { quote == nil && brackets.isEmpty }

    /// Scans a line.
    mutating func scan(_ line: some Sequence<Unicode.Scalar>) {
        let line = Array(line)
        var index = 0
        trap = nil
        if let quote { index = skip(quote, 3, in: line, from: index) }
        while index < line.count {
            switch line[index] {
            case "#": return
            case "[", "{":
                brackets.append(line[index])
                index += 1
            case "]", "}":
                index += 1
                if line[index - 1] == "}", brackets.last == "[" { record("a } within brackets", at: index) }
                _ = brackets.popLast()
            case let mark where mark == "\"" || mark == "'":
                let count = line[index...].prefix(3).count(where: { $0 == mark }) == 3 ? 3 : 1
                index = skip(mark, count, in: line, from: index + count)
            default:
                index += 1
                if Self.isCutDate(line, before: index) { record("a date without its time", at: index) }
            }
        }
    }

    private mutating func record(_ what: String, at column: Int) { trap = trap ?? (what, column) }

    /// Returns whether `2026-01-01T` without a digit after it ends here.
    private static func isCutDate(_ line: [Unicode.Scalar], before end: Int) -> Bool {
        guard end > 10, line[end - 1] == "T" || line[end - 1] == "t" else { return false }
        let shape = line[(end - 11)..<(end - 1)].map { ("0"..."9").contains($0) ? "0" : Character($0) }
        return shape == Array("0000-00-00") && !(end < line.count && ("0"..."9").contains(line[end]))
    }

    /// Returns the index after `count` consecutive marks; records whether the string continues on the next line.
    private mutating func skip(_ mark: Unicode.Scalar, _ count: Int, in line: [Unicode.Scalar], from start: Int) -> Int
    {
        var index = start
        while index < line.count {
            if line[index] == "\\", mark == "\"" {
                index += 2
            } else if line[index...].prefix(count).count(where: { $0 == mark }) == count {
                quote = nil
                // Up to two more marks may belong to the string before its closing three.
                return count == 1 ? index + 1 : index + line[index...].prefix { $0 == mark }.prefix(5).count
            } else {
                index += 1
            }
        }
        quote = count == 3 ? mark : nil
        return index
    }
}
