/// The positions of keys and values in TOML text, found by scanning its lines.
///
/// The parser knows positions only of its own errors. Keys inside inline tables and arrays have the position of the
/// table or array.
struct KeyPositions {
    /// Line and column from 1; columns count Unicode scalars.
    struct Position: Sendable, Equatable {
        var line, column: Int

        static let start = Position(line: 1, column: 1)
    }

    private var keys: [[String]: Position] = [:]
    private var values: [[String]: Position] = [:]

    /// Scans valid TOML.
    init(_ text: String) {
        var section: [String] = []
        var value = OpenValue()
        for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if value.isClosed {
                var scanner = KeyScanner(line)
                if let header = scanner.header() {
                    section = header
                    record(header, at: index + 1, scanner)
                } else if let key = scanner.key() {
                    record(section + key, at: index + 1, scanner)
                }
            }
            value.scan(line)
        }
    }

    /// Returns the position of a key, or of the innermost known table around it.
    func key(_ path: [String]) -> Position { position(of: path, in: keys) }

    /// Returns the position of a key's value, or of the innermost known table around it.
    func value(of path: [String]) -> Position { position(of: path, in: values) }

    private mutating func record(_ path: [String], at line: Int, _ scanner: KeyScanner) {
        for count in 1...max(1, path.count) {
            let part = Array(path.prefix(count))
            if keys[part] == nil { keys[part] = Position(line: line, column: scanner.keyColumn) }
            if values[part] == nil { values[part] = Position(line: line, column: scanner.valueColumn) }
        }
    }

    private func position(of path: [String], in positions: [[String]: Position]) -> Position {
        for count in stride(from: path.count, to: 0, by: -1) {
            if let position = positions[Array(path.prefix(count))] { return position }
        }
        return .start
    }
}

extension KeyPositions.Position {
    init(of index: String.Index, in text: String) {
        let before = text.unicodeScalars[..<index]
        let lineStart = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
        line = before.count { $0 == "\n" } + 1
        column = before.distance(from: lineStart, to: before.endIndex) + 1
    }

    /// Returns the position of the first invalid UTF-8 byte.
    static func firstBadByte(of bytes: [UInt8]) -> KeyPositions.Position {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var position = start
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            position =
                scalar == "\n"
                ? KeyPositions.Position(line: position.line + 1, column: 1)
                : KeyPositions.Position(line: position.line, column: position.column + 1)
        }
        return position
    }
}
