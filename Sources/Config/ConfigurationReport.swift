import AlcedoBrowserCore

/// The result of checking the config file.
package struct ConfigurationReport: Sendable, Encodable {
    package let path: String
    package let ok: Bool
    /// Without a file, the defaults apply.
    package let exists: Bool
    /// The faults in the file, its theme and the environment.
    package let faults: [ConfigurationFault]
    /// Why the file cannot be used at all; nil if it can.
    package let reason: String?

    /// Reads the file, and checks the configured theme if `themes` is given, and the variables of an environment.
    package init(_ file: ConfigurationFile, themes: ThemeFolder? = nil, environment: [String: String] = [:]) {
        var contents = ConfigurationContents(file)
        contents.checkVariables(environment)
        let configuration = contents.configuration
        // A theme of the file throws nothing.
        if let themes { _ = try? contents.theme(of: configuration, in: themes) }
        (path, exists, faults) = (file.path, contents.exists, contents.faults)
        ok = faults.isEmpty
        reason = faults.first { $0.file == file.path && $0.line == nil }?.text
    }

    /// The path, then the result.
    package var lines: [String] {
        let result = ok ? [exists ? "ok" : "ok, there is no file; the defaults apply"] : faults.map(\.description)
        return [path] + result
    }
}

/// The effective value of a setting and its source.
package struct ConfigurationRow: Sendable, Encodable, Equatable {
    package let section, name, value, standard: String
    /// `default`, `file`, or an environment variable as `$NAME`.
    package let source: String
    /// The value in TOML.
    let toml: String

    private enum CodingKeys: String, CodingKey {
        case section, name, value, source
        case standard = "default"
    }

    private init(_ setting: any AnySetting, in section: String, _ value: ConfigurationValue, from source: String) {
        self.section = section
        self.source = source
        name = setting.name
        self.value = value.plain
        toml = value.toml
        standard = setting.standardValue.plain
    }

    /// Returns all settings; the environment overrides the file, and the file the defaults.
    package static func all(_ file: Configuration, environment: [String: String]) -> [ConfigurationRow] {
        ConfigurationSection.all.flatMap { section in
            section.settings.map { setting in
                if let value = setting.value(setBy: environment), let variable = setting.variable {
                    ConfigurationRow(setting, in: section.name, value, from: "$\(variable)")
                } else if let value = setting.value(setIn: file) {
                    ConfigurationRow(setting, in: section.name, value, from: "file")
                } else {
                    ConfigurationRow(setting, in: section.name, setting.value(in: file), from: "default")
                }
            }
        }
    }

    /// Returns the lines of a config file with the source of each value as a comment.
    package static func lines(_ rows: [ConfigurationRow]) -> [String] {
        var lines: [String] = []
        var section = ""
        for row in rows {
            if row.section != section { lines += (lines.isEmpty ? [] : [""]) + ["[\(row.section)]"] }
            section = row.section
            let text = "\(row.name) = \(row.toml)"
            lines.append(text + String(repeating: " ", count: max(2, 36 - text.count)) + "# \(row.source)")
        }
        return lines
    }
}

/// Writes a configuration as a config file.
package enum ConfigurationText {
    /// Returns every setting with its comment and its effective value; by default the default values.
    ///
    /// Reading the text gives the same settings.
    package static func text(_ configuration: Configuration = Configuration()) -> String {
        let sections = ConfigurationSection.all.map { section in
            let rows = section.settings.map { row($0, in: configuration) }
            return "# \(section.documentation)\n[\(section.name)]\n" + rows.joined()
        }
        return ([opening] + sections).joined(separator: "\n")
    }

    private static let opening = """
        # The config file of alcedo. Every setting is optional; command-line options override it.
        # alcedo config --path prints the location of this file, alcedo config --check checks it.

        """

    private static func row(_ setting: any AnySetting, in configuration: Configuration) -> String {
        "# \(setting.documentation)\n\(setting.name) = \(setting.value(in: configuration).toml)\n"
    }
}
