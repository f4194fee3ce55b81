/// A row of the table of settings: path, type, default and documentation.
package struct Setting<Value: Sendable & Equatable>: Sendable {
    /// Section and name, such as `cache.max-size`.
    let path: String
    package let kind: SettingKind<Value>
    package let standard: Value
    /// One sentence for the comment in the config file and the help of the option.
    package let documentation: String
    /// The environment variable that overrides the config file; nil if there is none.
    let environment: EnvironmentSource<Value>?

    init(
        _ path: String, _ kind: SettingKind<Value>, default standard: Value, _ documentation: String,
        environment: EnvironmentSource<Value>? = nil
    ) {
        self.path = path
        self.kind = kind
        self.standard = standard
        self.documentation = documentation
        self.environment = environment
    }

    /// The default as text for a command line.
    package var standardText: String { kind.write(standard).plain }

    /// Checks a value and writes it into a configuration.
    package func read(
        _ value: ConfigurationValue, into configuration: inout Configuration
    ) throws(SettingProblem) {
        _ = try kind.read(value)
        configuration.values[path] = value
    }
}

/// An environment variable that sets a value.
struct EnvironmentSource<Value: Sendable>: Sendable {
    let variable: String
    let value: @Sendable (String) -> Value

    init(_ variable: String, value: @escaping @Sendable (String) -> Value) {
        self.variable = variable
        self.value = value
    }

    /// Returns nil if the variable is unset or empty.
    func value(in environment: [String: String]) -> Value? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        return value(text)
    }
}

/// A setting of any type.
protocol AnySetting: Sendable {
    var name: String { get }
    var documentation: String { get }
    /// The default.
    var standardValue: ConfigurationValue { get }
    /// The environment variable that overrides the config file; nil if there is none.
    var variable: String? { get }
    func read(_ value: ConfigurationValue, into configuration: inout Configuration) throws(SettingProblem)
    /// Returns the value in a configuration, else the default.
    func value(in configuration: Configuration) -> ConfigurationValue
    /// Returns the value in a configuration; nil if it has none.
    func value(setIn configuration: Configuration) -> ConfigurationValue?
    /// Returns the value in the environment; nil if it has none.
    func value(setBy environment: [String: String]) -> ConfigurationValue?
}

extension Setting: AnySetting {
    package var name: String { String(path.drop { $0 != "." }.dropFirst()) }
    var standardValue: ConfigurationValue { kind.write(standard) }
    var variable: String? { environment?.variable }

    func value(in configuration: Configuration) -> ConfigurationValue { kind.write(configuration[self]) }

    func value(setIn configuration: Configuration) -> ConfigurationValue? {
        configuration.values[path] == nil ? nil : value(in: configuration)
    }

    func value(setBy environment: [String: String]) -> ConfigurationValue? {
        self.environment?.value(in: environment).map(kind.write)
    }
}

/// A section of the config file with its settings.
struct ConfigurationSection: Sendable {
    let name: String
    /// One sentence for the comment above the section.
    let documentation: String
    let settings: [any AnySetting]

    /// All sections in the order of the printed file; a new section is one entry here.
    static let all: [ConfigurationSection] = [.transfers, .retrying, .browser, .prefetch, .cache, .keys]

    func setting(_ name: String) -> (any AnySetting)? { settings.first { $0.name == name } }
}
