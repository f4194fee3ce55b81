import BrowserCore
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
    init(_ text: String, kind: String) throws(ConfigurationFaults) {
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
        if let fault = ParserGuard.fault(in: text, kind: kind) { throw ConfigurationFaults(faults: [fault]) }
        table = try Self.parse(text)
        positions = KeyPositions(text)
    }

    private static func parse(_ text: String) throws(ConfigurationFaults) -> TOMLTable {
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let position = KeyPositions.Position(line: error.source.begin.line, column: error.source.begin.column)
            let text = "invalid TOML: \(error.description.prefix(1).lowercased())\(error.description.dropFirst())"
            throw ConfigurationFaults(faults: [ConfigurationFault(SafeText.clean(text), at: position)])
        } catch {
            throw ConfigurationFaults(faults: [ConfigurationFault("\(error)", at: .start)])
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
    func check() throws(ConfigurationFaults) {
        guard !faults.isEmpty else { return }
        let sorted = faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        throw ConfigurationFaults(faults: Array(sorted.prefix(ConfigurationReader.mostFaults)))
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
