import AlcedoBrowserCore
import AlcedoScreen
import AlcedoSupport
import AlcedoTerminal

/// The settings of the config file and the environment: the valid ones, and the faults of the others.
package struct ConfigurationContents: Sendable {
    /// The file's path; empty if there is no place for one.
    package let path: String
    package private(set) var exists = true
    package private(set) var configuration = Configuration()
    package private(set) var faults: [ConfigurationFault] = []
    /// Where each value of the file stands, as the fault that it would be.
    private var origins: [String: ConfigurationFault] = [:]

    /// Reads a config file; without one all settings have their defaults.
    package init(_ file: ConfigurationFile? = nil) {
        path = file?.path ?? ""
        guard let file else {
            exists = false
            return
        }
        do throws(TextFileProblem) { read(try ConfigurationFile.text(of: path)) } catch {
            exists = !error.isMissing
            if !error.isMissing || !file.isOptional { faults.append(error.fault) }
        }
    }

    /// Reads the standard config file, unless it is ignored, and checks the variables of the environment.
    package init(environment: [String: String], ignoresFile: Bool = false) {
        self.init(ignoresFile ? nil : .standard(environment: environment))
        checkVariables(environment)
    }

    /// Reads TOML 1.0; every section and every setting is optional.
    init(text: String) {
        path = ""
        read(text)
    }

    /// Adds the faults of variables that set settings.
    package mutating func checkVariables(_ environment: [String: String]) {
        for setting in ConfigurationSection.all.flatMap(\.settings) {
            guard let variable = setting.variable, let value = setting.value(setBy: environment) else { continue }
            var ignored = Configuration()
            do throws(SettingProblem) { try setting.read(value, into: &ignored) } catch {
                faults.append(
                    ConfigurationFault(
                        SafeText.clean("\(error)"), file: "$\(variable)",
                        source: SafeText.clean(Redaction.text(value.plain), limit: FaultList.longestSource)))
            }
        }
    }

    /// Whether the file itself has faults.
    package var hasFaultyFile: Bool { faults.contains { $0.file == path } }

    /// The environment without the variables that have faults.
    package func usable(_ environment: [String: String]) -> [String: String] {
        environment.filter { variable in !faults.contains { $0.file == "$\(variable.key)" } }
    }

    /// Adds the fault that the value of a setting proves to be wrong.
    ///
    /// - Returns: false if the value in force is not that of the file.
    package mutating func reject<Value>(
        _ setting: Setting<Value>, in configuration: Configuration, _ reason: String
    ) -> Bool {
        guard var fault = origins[setting.path],
            configuration.values[setting.path] == self.configuration.values[setting.path]
        else { return false }
        fault.text = SafeText.clean(reason)
        let place = faults.firstIndex { $0.file == fault.file && $0.line ?? 0 > fault.line ?? 0 }
        faults.insert(fault, at: place ?? faults.endIndex)
        return true
    }

    /// Returns the theme in force without its wrong lines, which become faults if the file names it; if it cannot be
    /// read at all, the default one.
    ///
    /// - Throws: The faults of a theme that an option names.
    package mutating func theme(
        of configuration: Configuration, in folder: ThemeFolder
    ) throws(ConfigurationProblem) -> ThemeChoice {
        let name = configuration[.theme]
        guard configuration.values[Setting<String>.theme.path] == self.configuration.values[Setting<String>.theme.path]
        else { return try folder.theme(name) }
        do throws(ConfigurationProblem) {
            let (theme, faults) = try folder.contents(of: name)
            self.faults += faults
            return theme
        } catch {
            guard reject(.theme, in: configuration, error.description) else { throw error }
            return .auto
        }
    }
}

/// Reading a text against the table of settings.
extension ConfigurationContents {
    private mutating func read(_ text: String) {
        let toml = TOMLText(text, kind: "config file")
        var list = FaultList(text, of: path)
        for failure in toml.failures { list.add(failure.text, at: failure.position) }
        for entry in toml.table.entries { readSection(entry, &list) }
        faults += list.sorted
    }

    private mutating func readSection(_ entry: TOMLTable.Entry, _ list: inout FaultList) {
        guard let section = ConfigurationSection.all.first(where: { $0.name == entry.name }) else {
            let isTable = if case .table = entry.node { true } else { false }
            let text = isTable ? Self.unknownSection(entry.name) : Self.unknownSetting(entry.name, in: nil)
            return list.add(text, at: entry.key)
        }
        guard case .table(let table) = entry.node else {
            return list.add("[\(entry.name)] is a section; its settings go below it", at: entry.key)
        }
        for setting in table.entries { readSetting(setting, in: section, &list) }
    }

    private mutating func readSetting(
        _ entry: TOMLTable.Entry, in section: ConfigurationSection, _ list: inout FaultList
    ) {
        guard let setting = section.setting(entry.name) else {
            return list.add(Self.unknownSetting(entry.name, in: section), at: entry.key, in: section.name)
        }
        do throws(SettingProblem) {
            try setting.read(ConfigurationValue(entry.node), into: &configuration)
            origins["\(section.name).\(entry.name)"] = list.fault("", at: entry.value, in: section.name)
        } catch {
            list.add("\(entry.name) \(error)", at: entry.value, in: section.name)
        }
    }

    private static func unknownSection(_ name: String) -> String {
        "there is no section [\(name)]" + NearestName.hint(for: name, among: ConfigurationSection.all.map(\.name))
    }

    private static func unknownSetting(_ name: String, in section: ConfigurationSection?) -> String {
        let isKey = section?.name == ConfigurationSection.keys.name
        let place = section.map { isKey ? "" : " in [\($0.name)]" } ?? " outside the sections"
        let text = "there is no \(isKey ? "action" : "setting") '\(name)'\(place)"
        if let home = ConfigurationSection.all.first(where: { $0.setting(name) != nil }) {
            return text + "; it belongs in [\(home.name)]"
        }
        return text + NearestName.hint(for: name, among: section?.settings.map(\.name) ?? [])
    }
}
