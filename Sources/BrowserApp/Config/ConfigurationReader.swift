import BrowserCore
import TOMLKit

/// Reads the text of a config file against the table of settings.
public enum ConfigurationReader {
    /// Faults that are told at once.
    public static let mostFaults = 20

    /// Reads a text in TOML 1.0; every section and every setting may be left out.
    ///
    /// Throws all the faults, except that a text which is no TOML has one, where its reading ended.
    public static func read(_ text: String) throws(ConfigurationFaults) -> Configuration {
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
        let table = try parse(text)
        var reading = ConfigurationReading(positions: KeyPositions(text))
        for name in table.keys { reading.takeSection(name, table[name]) }
        guard reading.faults.isEmpty else {
            let sorted = reading.faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
            throw ConfigurationFaults(faults: Array(sorted.prefix(mostFaults)))
        }
        return reading.configuration
    }

    private static func parse(_ text: String) throws(ConfigurationFaults) -> TOMLTable {
        if let fault = ParserGuard.fault(in: text) { throw ConfigurationFaults(faults: [fault]) }
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

/// A configuration on its way from the parsed tables.
private struct ConfigurationReading {
    let positions: KeyPositions
    private(set) var configuration = Configuration()
    private(set) var faults: [ConfigurationFault] = []

    init(positions: KeyPositions) { self.positions = positions }

    mutating func takeSection(_ name: String, _ value: (any TOMLValueConvertible)?) {
        guard faults.count < Self.mostCollected else { return }
        guard let section = ConfigurationSection.all.first(where: { $0.name == name }) else {
            let text = value?.type == .table ? Self.unknownSection(name) : Self.unknownSetting(name, in: nil)
            return add(text, at: positions.key([name]))
        }
        guard let table = value?.table else {
            return add("[\(name)] is a section: its settings stand below it", at: positions.key([name]))
        }
        for key in table.keys { take(key, ConfigurationValue(table[key]), in: section) }
    }

    private mutating func take(_ key: String, _ value: ConfigurationValue, in section: ConfigurationSection) {
        guard faults.count < Self.mostCollected else { return }
        let path = [section.name, key]
        guard let setting = section.setting(key) else {
            return add(Self.unknownSetting(key, in: section), at: positions.key(path))
        }
        do throws(SettingProblem) {
            try setting.read(value, into: &configuration)
        } catch {
            add("\(key) \(error)", at: positions.value(of: path))
        }
    }

    private mutating func add(_ text: String, at position: KeyPositions.Position) {
        faults.append(ConfigurationFault(SafeText.clean(text), at: position))
    }

    /// The tables come sorted by name, not by line: more are looked at than are told.
    private static let mostCollected = 1000

    private static func unknownSection(_ name: String) -> String {
        let known = ConfigurationSection.all.map(\.name)
        return "there is no section [\(name)]" + NearestName.hint(for: name, among: known)
    }

    private static func unknownSetting(_ name: String, in section: ConfigurationSection?) -> String {
        let text = "there is no setting '\(name)' " + (section.map { "in [\($0.name)]" } ?? "outside the sections")
        if let home = ConfigurationSection.all.first(where: { $0.setting(name) != nil }) {
            return text + "; it belongs in [\(home.name)]"
        }
        return text + NearestName.hint(for: name, among: section?.settings.map(\.name) ?? [])
    }
}

extension ConfigurationValue {
    /// What a parsed value is to a setting.
    fileprivate init(_ value: (any TOMLValueConvertible)?) {
        switch value?.type {
        case .string: self = .text(value?.string ?? "")
        case .int: self = value?.int.map { .number($0) } ?? .other("a number")
        case .bool: self = value?.bool.map { .flag($0) } ?? .other("a truth value")
        case .double: self = .other(value?.double.map { "the number \($0)" } ?? "a number")
        case .array: self = .other("a list")
        case .table: self = .other("a table")
        case .date, .time, .dateTime: self = .other("a date or time")
        case nil: self = .other("nothing")
        }
    }
}
