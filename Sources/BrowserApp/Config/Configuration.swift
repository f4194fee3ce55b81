/// The contents of the config file.
///
/// Command-line options overwrite its values, so that one value passes all settings to the programs.
package struct Configuration: Sendable, Equatable {
    /// The valid values by path, such as `cache.max-size`.
    var values: [String: ConfigurationValue] = [:]
    package var keys = KeyConfiguration()

    package init() {}

    /// The configured value of a setting, else its default.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        get { values[setting.path].flatMap { try? setting.kind.read($0) } ?? setting.standard }
        set { values[setting.path] = setting.kind.write(newValue) }
    }
}
