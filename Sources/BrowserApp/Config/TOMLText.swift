import AlcedoBrowserCore
import AlcedoScreen
import TOMLKit

/// Parsed TOML 1.0 with the positions of its keys.
struct TOMLText {
    let table: TOMLTable
    let positions: KeyPositions

    /// Parses the text, which may start with a byte order mark.
    ///
    /// `kind` names it in errors, for example "config file".
    ///
    /// - Throws: The first syntax error.
    init(_ text: String, kind: String) throws(TextFileProblem) {
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
        if let fault = ParserGuard.fault(in: text, kind: kind) { throw .faulty([fault]) }
        table = try Self.parse(text)
        positions = KeyPositions(text)
    }

    private static func parse(_ text: String) throws(TextFileProblem) -> TOMLTable {
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let position = KeyPositions.Position(line: error.source.begin.line, column: error.source.begin.column)
            let text = "invalid TOML: \(error.description.prefix(1).lowercased())\(error.description.dropFirst())"
            throw .faulty([ConfigurationFault(SafeText.clean(text), at: position)])
        } catch {
            throw .faulty([ConfigurationFault("\(error)", at: .start)])
        }
    }
}

/// Collects the faults of a text.
struct FaultList {
    private(set) var faults: [ConfigurationFault] = []

    /// The tables are sorted by name, not by line, so more faults are collected than reported.
    private static let mostCollected = 1000

    var isFull: Bool { faults.count >= Self.mostCollected }

    mutating func add(_ text: String, at position: KeyPositions.Position) {
        faults.append(ConfigurationFault(SafeText.clean(text), at: position))
    }

    /// Throws the faults in the order of their lines, if there are any.
    func check() throws(TextFileProblem) {
        guard !faults.isEmpty else { return }
        let sorted = faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        throw .faulty(Array(sorted.prefix(ConfigurationReader.mostFaults)))
    }
}

extension ConfigurationValue {
    /// Creates the value from a parsed one.
    init(_ value: (any TOMLValueConvertible)?) {
        switch value?.type {
        case .string: self = .text(value?.string ?? "")
        case .int: self = value?.int.map { .number($0) } ?? .other("a number")
        case .bool: self = value?.bool.map { .flag($0) } ?? .other("a truth value")
        case .double: self = .other(value?.double.map { "the number \($0)" } ?? "a number")
        case .array: self = value?.array.flatMap(ConfigurationValue.texts) ?? .other("a list")
        case .table: self = .other("a table")
        case .date, .time, .dateTime: self = .other("a date or time")
        case nil: self = .other("nothing")
        }
    }

    /// Returns a list of strings; nil if the array contains anything else.
    private static func texts(_ array: TOMLArray) -> ConfigurationValue? {
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? .texts(texts) : nil
    }
}

/// Rejects text that toml++ 3.4 cannot handle.
///
/// The parser stops at a zero byte, where a C string ends. It nests tables for dotted keys without a limit. It aborts
/// on a header that does not start with a name, on a brace in place of an array value, and on a date without its time.
enum ParserGuard {
    /// In bytes.
    static let longestLine = 4096

    static func fault(in text: String, kind: String) -> ConfigurationFault? {
        if let zero = text.unicodeScalars.firstIndex(of: "\0") {
            return ConfigurationFault("a \(kind) is text, without zero bytes", at: .init(of: zero, in: text))
        }
        var value = OpenValue()
        for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if Substring(line).utf8.count > longestLine {
                let text = "the line is longer than \(longestLine) bytes"
                return ConfigurationFault(text, at: .init(line: index + 1, column: 1))
            }
            var scanner = KeyScanner(line)
            if value.isClosed, scanner.isBrokenHeader() {
                let text = "invalid TOML: the header of a section is its name in brackets, as [browser]"
                return ConfigurationFault(text, at: .init(line: index + 1, column: scanner.keyColumn))
            }
            value.scan(line)
            if let (what, column) = value.trap {
                return ConfigurationFault("invalid TOML: \(what)", at: .init(line: index + 1, column: column))
            }
        }
        return nil
    }
}

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
