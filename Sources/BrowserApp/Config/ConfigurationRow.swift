/// A setting as it holds, and where that comes from.
public struct ConfigurationRow: Sendable, Encodable, Equatable {
    public let section, name, value, standard: String
    /// `default`, `file`, or a variable of the environment as `$NAME`.
    public let source: String
    /// The value as a config file has it.
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

    /// Every setting: the environment comes before the file, the file before the default.
    public static func all(_ file: Configuration, environment: [String: String]) -> [ConfigurationRow] {
        ConfigurationSection.all.flatMap { section in
            section.settings.map { setting in
                if let value = setting.value(saidBy: environment), let variable = setting.variable {
                    ConfigurationRow(setting, in: section.name, value, from: "$\(variable)")
                } else if let value = setting.value(saidIn: file) {
                    ConfigurationRow(setting, in: section.name, value, from: "file")
                } else {
                    ConfigurationRow(setting, in: section.name, setting.value(in: file), from: "default")
                }
            }
        }
    }

    /// Lines as of a config file, each with its source as a comment.
    public static func lines(_ rows: [ConfigurationRow]) -> [String] {
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
