/// One row of the table of settings: its name, what it takes, its default, what it is for and where it is kept.
public struct Setting<Value: Sendable & Equatable>: Sendable {
    public let name: String
    public let kind: SettingKind<Value>
    public let standard: Value
    /// A sentence, for the comment in the config file and the help of the option.
    public let documentation: String
    let field: any WritableKeyPath<Configuration, Value?> & Sendable
    /// The variable that comes before the config file; nil when there is none.
    let environment: EnvironmentSource<Value>?

    init(
        _ name: String, _ kind: SettingKind<Value>, at field: any WritableKeyPath<Configuration, Value?> & Sendable,
        default standard: Value, _ documentation: String, environment: EnvironmentSource<Value>? = nil
    ) {
        self.name = name
        self.kind = kind
        self.field = field
        self.standard = standard
        self.documentation = documentation
        self.environment = environment
    }

    /// The default as a command line would give it.
    public var standardText: String { kind.write(standard).plain }

    /// Reads a value into a configuration.
    public func read(
        _ value: ConfigurationValue, into configuration: inout Configuration
    ) throws(SettingProblem) {
        configuration[keyPath: field] = try kind.read(value)
    }
}

/// A variable of the environment that gives a setting its value.
struct EnvironmentSource<Value: Sendable>: Sendable {
    let variable: String
    let value: @Sendable (String) -> Value

    init(_ variable: String, value: @escaping @Sendable (String) -> Value) {
        self.variable = variable
        self.value = value
    }

    /// nil when the variable is not set, or to nothing.
    func value(in environment: [String: String]) -> Value? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        return value(text)
    }
}

/// A row of the table whose type is not asked for.
protocol AnySetting: Sendable {
    var name: String { get }
    var documentation: String { get }
    /// What holds by default.
    var standardValue: ConfigurationValue { get }
    /// The variable that comes before the config file; nil when there is none.
    var variable: String? { get }
    func read(_ value: ConfigurationValue, into configuration: inout Configuration) throws(SettingProblem)
    /// What holds in a configuration.
    func value(in configuration: Configuration) -> ConfigurationValue
    /// What a configuration says; nil when it leaves it open.
    func value(saidIn configuration: Configuration) -> ConfigurationValue?
    /// What the environment says; nil when it says nothing.
    func value(saidBy environment: [String: String]) -> ConfigurationValue?
}

extension Setting: AnySetting {
    var standardValue: ConfigurationValue { kind.write(standard) }
    var variable: String? { environment?.variable }

    func value(in configuration: Configuration) -> ConfigurationValue { kind.write(configuration[self]) }

    func value(saidIn configuration: Configuration) -> ConfigurationValue? {
        configuration[keyPath: field].map(kind.write)
    }

    func value(saidBy environment: [String: String]) -> ConfigurationValue? {
        self.environment?.value(in: environment).map(kind.write)
    }
}
