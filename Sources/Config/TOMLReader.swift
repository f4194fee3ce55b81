import AlcedoScreen

/// A table of a TOML 1.0 document, with its keys in the order of the text and their positions.
struct TOMLTable {
    /// Line and column from 1; columns count Unicode scalars.
    struct Position: Sendable, Equatable {
        var line, column: Int

        static let start = Position(line: 1, column: 1)
    }

    /// A key with what it stands for.
    struct Entry {
        let name: String
        /// The position of the key; that of the bracket for a table's header.
        let key: Position
        /// The position of the value; that of the key for a table.
        let value: Position
        fileprivate(set) var node: Node
    }

    indirect enum Node {
        case value(ConfigurationValue)
        case table(TOMLTable)
    }

    private(set) var entries: [Entry] = []
    private var places: [String: Int] = [:]
    /// Whether a header or braces have defined the table, so that no other header may.
    fileprivate var isDefined = false
    /// Whether it is written in braces, so that nothing can be added.
    fileprivate var isInline = false

    /// Adds a value under a dotted key.
    ///
    /// - Throws: The position of a key that has a value already.
    fileprivate mutating func insert(
        _ node: Node, at path: ArraySlice<TOMLParser.Key>, value: Position
    ) throws(TOMLParser.Failure) {
        guard let key = path.first else { return }
        guard path.count > 1 else {
            guard places[key.name] == nil else { throw .init("'\(key.name)' is set twice", at: key.position) }
            return append(Entry(name: key.name, key: key.position, value: value, node: node))
        }
        try change(key, value: value) { table throws(TOMLParser.Failure) in
            try table.insert(node, at: path.dropFirst(), value: value)
        }
    }

    /// Defines the table of a header.
    fileprivate mutating func define(_ path: ArraySlice<TOMLParser.Key>) throws(TOMLParser.Failure) {
        guard let key = path.first else { return }
        try change(key, value: key.position) { table throws(TOMLParser.Failure) in
            guard path.count == 1 else { return try table.define(path.dropFirst()) }
            guard !table.isDefined else { throw .init("the section '\(key.name)' is there twice", at: key.position) }
            table.isDefined = true
        }
    }

    /// Changes the table of a key, which is made if it is missing.
    private mutating func change(
        _ key: TOMLParser.Key, value: Position, _ body: (inout TOMLTable) throws(TOMLParser.Failure) -> Void
    ) throws(TOMLParser.Failure) {
        if places[key.name] == nil {
            append(Entry(name: key.name, key: key.position, value: value, node: .table(TOMLTable())))
        }
        guard let place = places[key.name] else { return }
        guard case .table(var table) = entries[place].node, !table.isInline else {
            throw .init("'\(key.name)' is set twice", at: key.position)
        }
        // A second reference would make each change copy the table.
        entries[place].node = .table(TOMLTable())
        defer { entries[place].node = .table(table) }
        try body(&table)
    }

    private mutating func append(_ entry: Entry) {
        places[entry.name] = entries.count
        entries.append(entry)
    }
}

/// A parser of the TOML that settings need: tables, texts, whole numbers, truth values, lists.
///
/// Other bare words, such as times and fractions, are values that no setting takes. Lists of
/// tables are faults.
///
/// Source: toml.io/en/v1.0.0.
struct TOMLParser {
    /// A name of a dotted key.
    struct Key {
        let name: String
        let position: TOMLTable.Position
    }

    struct Failure: Error {
        let text: String
        let position: TOMLTable.Position

        init(_ text: String, at position: TOMLTable.Position) { (self.text, self.position) = (text, position) }
    }

    /// The maximum depth of arrays, braces and dotted keys.
    private static let deepest = 32
    private let text: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0
    private var isInStatement = false

    private init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// Reads a document without its faulty statements, and returns the faults of these, at most `limit`.
    ///
    /// Lines after a faulty header are left out, too: their section is not known.
    static func parse(_ text: String, limit: Int) -> (table: TOMLTable, failures: [Failure]) {
        var parser = TOMLParser(text)
        var (root, section, failures) = (TOMLTable(), [Key](), [Failure]())
        while parser.current != nil, failures.count < limit {
            let start = parser
            do throws(Failure) {
                guard let statement = try parser.statement() else { break }
                switch statement {
                case .header(let keys):
                    section = keys
                    try root.define(keys[...])
                case .pair(let keys, let node, let value):
                    try root.insert(node, at: (section + keys)[...], value: value)
                }
            } catch {
                failures.append(error)
                if parser.isInStatement { parser.recover(from: start) }
            }
        }
        return (root, failures)
    }

    private enum Statement {
        case header([Key])
        case pair([Key], TOMLTable.Node, value: TOMLTable.Position)
    }

    /// Reads the next header or pair; nil at the end.
    private mutating func statement() throws(Failure) -> Statement? {
        isInStatement = true
        try skipEmptyLines()
        guard let scalar = current else { return nil }
        let statement: Statement
        if scalar == "[" {
            statement = .header(try header())
        } else {
            let pair = try pair()
            statement = .pair(pair.keys, pair.node, value: pair.value)
        }
        try endLine()
        isInStatement = false
        return statement
    }

    /// Moves behind a faulty statement: to the next line that begins like one, after a header to the next header.
    private mutating func recover(from start: TOMLParser) {
        self = start
        var needsHeader = false
        // A fault in a comment concerns the comment only.
        do throws(Failure) {
            try skipEmptyLines()
            needsHeader = current == "["
        } catch {}
        repeat {
            while current != nil, !skipLineBreak() { index += 1 }
        } while current != nil && !beginsStatement(needsHeader: needsHeader)
        isInStatement = false
    }

    private func beginsStatement(needsHeader: Bool) -> Bool {
        var parser = self
        parser.skipBlanks()
        do throws(Failure) {
            if parser.current == "[" {
                _ = try parser.header()
                try parser.endLine()
                return true
            }
            _ = try parser.keys()
            return parser.current == "=" && !needsHeader
        } catch { return false }
    }

    // MARK: - Lines

    private var current: Unicode.Scalar? { index < text.count ? text[index] : nil }
    private var position: TOMLTable.Position { .init(line: line, column: index - lineStart + 1) }

    private func startsWith(_ marks: String) -> Bool { text[index...].starts(with: marks.unicodeScalars) }

    private func expected(_ what: String) -> Failure {
        let found =
            current.map { $0 == "\n" || $0 == "\r" ? "the end of the line" : "'\($0)'" } ?? "the end of the file"
        return Failure("expected \(what), not \(found)", at: position)
    }

    private mutating func skipBlanks() {
        while current == " " || current == "\t" { index += 1 }
    }

    /// Skips a line break; returns false if there is none.
    private mutating func skipLineBreak() -> Bool {
        let length = startsWith("\r\n") ? 2 : current == "\n" ? 1 : 0
        guard length > 0 else { return false }
        index += length
        (line, lineStart) = (line + 1, index)
        return true
    }

    private mutating func skipComment() throws(Failure) {
        guard current == "#" else { return }
        while let scalar = current, scalar != "\n", !startsWith("\r\n") {
            guard scalar == "\t" || !scalar.isControl else { throw Failure("a control character", at: position) }
            index += 1
        }
    }

    private mutating func skipEmptyLines() throws(Failure) {
        repeat {
            skipBlanks()
            try skipComment()
        } while skipLineBreak()
    }

    private mutating func endLine() throws(Failure) {
        skipBlanks()
        try skipComment()
        guard current == nil || skipLineBreak() else { throw expected("the end of the line") }
    }

    // MARK: - Keys

    private mutating func header() throws(Failure) -> [Key] {
        let start = position
        index += 1
        guard current != "[" else { throw Failure("a section is a name in one pair of brackets", at: start) }
        let keys = try keys().map { Key(name: $0.name, position: start) }
        guard current == "]" else { throw expected("]") }
        index += 1
        return keys
    }

    private mutating func pair() throws(Failure) -> (keys: [Key], node: TOMLTable.Node, value: TOMLTable.Position) {
        let keys = try keys()
        guard current == "=" else { throw expected("=") }
        index += 1
        skipBlanks()
        let start = position
        return (keys, try node(), start)
    }

    private mutating func keys() throws(Failure) -> [Key] {
        var keys: [Key] = []
        while true {
            skipBlanks()
            let start = position
            guard keys.count < Self.deepest else { throw Failure("the key has too many parts", at: start) }
            keys.append(Key(name: try name(), position: keys.first?.position ?? start))
            skipBlanks()
            guard current == "." else { return keys }
            index += 1
        }
    }

    private mutating func name() throws(Failure) -> String {
        if current == "\"" || current == "'" { return try string() }
        let start = index
        while let scalar = current, scalar.isBareKey { index += 1 }
        guard index > start else { throw expected("a name") }
        return String(String.UnicodeScalarView(text[start..<index]))
    }

    // MARK: - Values

    private mutating func node() throws(Failure) -> TOMLTable.Node {
        switch current {
        case "\"", "'":
            let isLong = startsWith("\"\"\"") || startsWith("'''")
            return .value(.text(try isLong ? longString() : string()))
        case "[": return .value(try nested { parser throws(Failure) in try parser.array() })
        case "{": return .table(try nested { parser throws(Failure) in try parser.inlineTable() })
        default: return .value(try plainValue())
        }
    }

    private mutating func nested<Value>(
        _ read: (inout TOMLParser) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard depth < Self.deepest else { throw Failure("too many brackets in each other", at: position) }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func array() throws(Failure) -> ConfigurationValue {
        var (texts, isText): ([String], Bool) = ([], true)
        index += 1
        while true {
            try skipEmptyLines()
            if current == "]" { break }
            if case .value(.text(let text)) = try node() { texts.append(text) } else { isText = false }
            try skipEmptyLines()
            if current == "," { index += 1 } else if current != "]" { throw expected("a comma or ]") }
        }
        index += 1
        return isText ? .texts(texts) : .other("a list")
    }

    private mutating func inlineTable() throws(Failure) -> TOMLTable {
        var table = TOMLTable()
        (table.isDefined, table.isInline) = (true, true)
        index += 1
        skipBlanks()
        if current != "}" {
            while true {
                let pair = try pair()
                try table.insert(pair.node, at: pair.keys[...], value: pair.value)
                skipBlanks()
                guard current == "," else { break }
                index += 1
            }
        }
        guard current == "}" else { throw expected("a comma or }") }
        index += 1
        return table
    }

    /// Reads a number, a truth value, or another word without quotes.
    private mutating func plainValue() throws(Failure) -> ConfigurationValue {
        let rest = text[index...].prefix { !$0.isControl && !" ,[]{}#\"'=".unicodeScalars.contains($0) }
        guard !rest.isEmpty else { throw expected("a value") }
        index += rest.count
        let word = String(String.UnicodeScalarView(rest))
        switch word {
        case "true": return .flag(true)
        case "false": return .flag(false)
        default:
            if let number = Self.integer(word) { return .number(number) }
            return .other(Double(word) == nil ? "\(word), which has no quotes" : word)
        }
    }

    /// Returns a whole number of 64 bits, whose digits may be separated by underscores; nil for other words.
    private static func integer(_ word: String) -> Int? {
        let parts = word.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.first?.isHexDigit == true || $0 == parts[0] }), parts.last != "" else { return nil }
        let plain = parts.joined()
        let radix = ["0x": 16, "0o": 8, "0b": 2][plain.prefix(2)]
        if let radix {
            return plain.dropFirst(2).first?.isHexDigit == true ? Int(plain.dropFirst(2), radix: radix) : nil
        }
        let digits = plain.drop { $0 == "+" || $0 == "-" }
        return digits.first == "0" && digits.count > 1 ? nil : Int(plain)
    }

    // MARK: - Texts

    /// Reads a text in single marks, which ends on its line.
    private mutating func string() throws(Failure) -> String {
        guard let mark = current else { throw expected("a text") }
        index += 1
        var result = String.UnicodeScalarView()
        while let scalar = current, scalar != mark {
            guard scalar == "\t" || !scalar.isControl else { throw expected("the closing \(mark)") }
            if scalar == "\\", mark == "\"" {
                result.append(try escape())
            } else {
                result.append(scalar)
                index += 1
            }
        }
        guard current == mark else { throw expected("the closing \(mark)") }
        index += 1
        return String(result)
    }

    /// Reads a text in three marks, which may have several lines; a line break behind the first three is no part of it.
    private mutating func longString() throws(Failure) -> String {
        guard let mark = current else { throw expected("a text") }
        let marks = String(repeating: String(mark), count: 3)
        index += 3
        _ = skipLineBreak()
        var result = String.UnicodeScalarView()
        while let scalar = current {
            if startsWith(marks) {
                // Up to two more marks belong to the text.
                let count = text[index...].prefix(5).prefix { $0 == mark }.count
                result.append(contentsOf: repeatElement(mark, count: count - 3))
                index += count
                return String(result)
            }
            if skipLineBreak() {
                result.append("\n")
            } else if scalar == "\\", mark == "\"" {
                if !skipLineEnd() { result.append(try escape()) }
            } else {
                guard scalar == "\t" || !scalar.isControl else { throw Failure("a control character", at: position) }
                result.append(scalar)
                index += 1
            }
        }
        throw expected("the closing \(marks)")
    }

    /// Skips a backslash at the end of a line, with all blanks and line breaks behind it; returns false if it is none.
    private mutating func skipLineEnd() -> Bool {
        let (start, startLine, startOfLine) = (index, line, lineStart)
        index += 1
        skipBlanks()
        guard skipLineBreak() else {
            (index, line, lineStart) = (start, startLine, startOfLine)
            return false
        }
        repeat { skipBlanks() } while skipLineBreak()
        return true
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        let start = position
        let sign = index + 1 < text.count ? text[index + 1] : nil
        index += 2
        switch sign {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "\"", "\\": return sign ?? "\\"
        case "u", "U":
            let digits = text[min(index, text.count)...].prefix(sign == "u" ? 4 : 8)
            let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
            guard digits.count == (sign == "u" ? 4 : 8), digits.first != "+", digits.first != "-",
                let scalar = number.flatMap(Unicode.Scalar.init)
            else { throw Failure("\\\(sign ?? "u") needs the digits of a character", at: start) }
            index += digits.count
            return scalar
        default: throw Failure("an unknown escape; a backslash is written \\\\", at: start)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || value == 0x7F }

    fileprivate var isBareKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}
