import AlcedoBrowserCore
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials

/// The parsed text of a config file or a theme.
struct TOMLText {
    let table: TOMLTable
    /// In bytes.
    static let longestLine = 4096

    /// The faulty lines, which the table lacks; a text that is none has no table.
    let failures: [TOMLParser.Failure]

    /// Parses the text, which may start with a byte order mark; `kind` names it in faults, such as "config file".
    init(_ text: String, kind: String) {
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
        if let failure = Self.failure(in: text, kind: kind) {
            (table, failures) = (TOMLTable(), [failure])
        } else {
            let parsed = TOMLParser.parse(text, limit: FaultList.limit)
            table = parsed.table
            failures = parsed.failures.map { .init("invalid TOML: \($0.text)", at: $0.position) }
        }
    }

    /// Returns the first line that no text file has.
    private static func failure(in text: String, kind: String) -> TOMLParser.Failure? {
        for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let zero = line.firstIndex(of: "\0") {
                let column = line.distance(from: line.startIndex, to: zero) + 1
                return .init("a \(kind) is text, without zero bytes", at: .init(line: index + 1, column: column))
            }
            if Substring(line).utf8.count > longestLine {
                let text = "the line is longer than \(longestLine) bytes"
                return .init(text, at: .init(line: index + 1, column: 1))
            }
        }
        return nil
    }
}

/// Collects the faults of a file.
struct FaultList {
    /// The most faults that are collected of one file.
    static let limit = 200
    static let longestSource = 200

    private let file: String
    private let lines: [String.UnicodeScalarView.SubSequence]
    private(set) var faults: [ConfigurationFault] = []

    init(_ text: String, of file: String) {
        self.file = file
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var isFull: Bool { faults.count >= Self.limit }
    /// The faults in the order of their lines.
    var sorted: [ConfigurationFault] {
        faults.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    }

    mutating func add(_ text: String, at position: TOMLTable.Position, in section: String? = nil) {
        guard !isFull else { return }
        faults.append(fault(text, at: position, in: section))
    }

    /// Returns the fault of the line at a position in a section.
    func fault(_ text: String, at position: TOMLTable.Position, in section: String? = nil) -> ConfigurationFault {
        let line = lines.indices.contains(position.line - 1) ? String(lines[position.line - 1]) : ""
        let statement = line.withoutBlanks
        let source = section.map { statement.hasPrefix($0) ? statement : "[\($0)] \(statement)" } ?? statement
        return ConfigurationFault(
            SafeText.clean(text), file: file, line: position.line, column: position.column,
            source: SafeText.clean(Redaction.text(source), limit: Self.longestSource))
    }
}

extension ConfigurationValue {
    /// Creates the value of a key.
    init(_ node: TOMLTable.Node) {
        switch node {
        case .value(let value): self = value
        case .table: self = .other("a table")
        }
    }
}

extension TOMLTable.Position {
    /// Returns the position of the first invalid UTF-8 byte.
    static func firstBadByte(of bytes: [UInt8]) -> Self {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var position = start
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            position =
                scalar == "\n"
                ? Self(line: position.line + 1, column: 1) : Self(line: position.line, column: position.column + 1)
        }
        return position
    }
}
