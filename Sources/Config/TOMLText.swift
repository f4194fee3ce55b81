import AlcedoScreen

/// The parsed text of a config file or a theme.
struct TOMLText {
    let table: TOMLTable
    /// In bytes.
    static let longestLine = 4096

    /// Parses the text, which may start with a byte order mark.
    ///
    /// `kind` names it in errors, for example "config file".
    ///
    /// - Throws: The first syntax error.
    init(_ text: String, kind: String) throws(TextFileProblem) {
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
        if let fault = Self.fault(in: text, kind: kind) { throw .faulty([fault]) }
        do throws(TOMLParser.Failure) {
            table = try TOMLParser.parse(text)
        } catch {
            throw .faulty([ConfigurationFault("invalid TOML: \(SafeText.clean(error.text))", at: error.position)])
        }
    }

    /// Returns the first line that no text file has.
    private static func fault(in text: String, kind: String) -> ConfigurationFault? {
        for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let zero = line.firstIndex(of: "\0") {
                let column = line.distance(from: line.startIndex, to: zero) + 1
                return ConfigurationFault(
                    "a \(kind) is text, without zero bytes", at: .init(line: index + 1, column: column))
            }
            if Substring(line).utf8.count > longestLine {
                let text = "the line is longer than \(longestLine) bytes"
                return ConfigurationFault(text, at: .init(line: index + 1, column: 1))
            }
        }
        return nil
    }
}

/// Collects the faults of a text.
struct FaultList {
    private(set) var faults: [ConfigurationFault] = []

    /// More faults are collected than reported.
    private static let mostCollected = 1000

    var isFull: Bool { faults.count >= Self.mostCollected }

    mutating func add(_ text: String, at position: TOMLTable.Position) {
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
