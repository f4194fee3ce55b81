import BrowserCore
import TOMLKit

/// Parses TOML 1.0 and knows where its keys stand.
struct TOMLText {
    let table: TOMLTable
    let positions: KeyPositions

    /// A byte order mark may precede the text; `kind` names it in a fault, as "config file".
    ///
    /// Throws the one fault where reading ended.
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
            let text = "this is no TOML: \(error.description.prefix(1).lowercased())\(error.description.dropFirst())"
            throw ConfigurationFaults(faults: [ConfigurationFault(SafeText.clean(text), at: position)])
        } catch {
            throw ConfigurationFaults(faults: [ConfigurationFault("\(error)", at: .start)])
        }
    }
}

/// The faults of a text as they are found.
struct FaultList {
    private(set) var faults: [ConfigurationFault] = []

    /// The tables come sorted by name, not by line: more are looked at than are told.
    private static let mostCollected = 1000

    var isFull: Bool { faults.count >= Self.mostCollected }

    mutating func add(_ text: String, at position: KeyPositions.Position) {
        faults.append(ConfigurationFault(SafeText.clean(text), at: position))
    }

    /// Throws them in the order of their lines, if there are any.
    func check() throws(ConfigurationFaults) {
        guard !faults.isEmpty else { return }
        let sorted = faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        throw ConfigurationFaults(faults: Array(sorted.prefix(ConfigurationReader.mostFaults)))
    }
}

extension ConfigurationValue {
    /// What a parsed value is to a setting.
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

    /// A list, when it holds texts only.
    private static func texts(_ array: TOMLArray) -> ConfigurationValue? {
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? .texts(texts) : nil
    }
}
