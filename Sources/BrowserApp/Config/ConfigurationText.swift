/// Writes a configuration as a config file.
package enum ConfigurationText {
    /// Returns every setting with its comment and its effective value; by default the default values.
    ///
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
        # alcedo's config file. All of it may be left out; options on the command line come before it.
        # alcedo config --path says where it belongs, alcedo config --check whether it is right.

        """

    private static func row(_ setting: any AnySetting, in configuration: Configuration) -> String {
        "# \(setting.documentation)\n\(setting.name) = \(setting.value(in: configuration).toml)\n"
    }
}
