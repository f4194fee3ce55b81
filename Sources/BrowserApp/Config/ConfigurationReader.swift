import TOMLKit

/// Reads a config file against the table of settings.
package enum ConfigurationReader {
    /// Maximum number of reported faults.
    package static let mostFaults = 20

    /// Reads TOML 1.0; every section and every setting is optional.
    ///
    /// - Throws: All faults; for invalid TOML only the syntax error.
    package static func read(_ text: String) throws(ConfigurationFaults) -> Configuration {
        let text = try TOMLText(text, kind: "config file")
        var reading = ConfigurationReading(positions: text.positions)
        for name in text.table.keys { reading.readSection(name, text.table[name]) }
        try reading.list.check()
        return reading.configuration
    }
}

/// A configuration that is being filled from the parsed tables.
private struct ConfigurationReading {
    let positions: KeyPositions
    private(set) var configuration = Configuration()
    private(set) var list = FaultList()

    init(positions: KeyPositions) { self.positions = positions }

    mutating func readSection(_ name: String, _ value: (any TOMLValueConvertible)?) {
        guard !list.isFull else { return }
        guard let section = ConfigurationSection.all.first(where: { $0.name == name }) else {
            let text = value?.type == .table ? Self.unknownSection(name) : Self.unknownSetting(name, in: nil)
            return list.add(text, at: positions.key([name]))
        }
        guard let table = value?.table else {
            return list.add("[\(name)] is a section; its settings go below it", at: positions.key([name]))
        }
        for key in table.keys { readSetting(key, ConfigurationValue(table[key]), in: section) }
    }

    private mutating func readSetting(_ key: String, _ value: ConfigurationValue, in section: ConfigurationSection) {
        guard !list.isFull else { return }
        let path = [section.name, key]
        guard let setting = section.setting(key) else {
            return list.add(Self.unknownSetting(key, in: section), at: positions.key(path))
        }
        do throws(SettingProblem) {
            try setting.read(value, into: &configuration)
        } catch {
            list.add("\(key) \(error)", at: positions.value(of: path))
        }
    }

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
