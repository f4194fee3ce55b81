/// One row of the table of settings: its name, what it takes, its default, what it is for and where it is kept.
public struct Setting<Value: Sendable & Equatable>: Sendable {
    public let name: String
    public let kind: SettingKind<Value>
    public let standard: Value
    /// A sentence, for the comment in the config file and the help of the option.
    public let documentation: String
    let field: any WritableKeyPath<Configuration, Value?> & Sendable

    init(
        _ name: String, _ kind: SettingKind<Value>, at field: any WritableKeyPath<Configuration, Value?> & Sendable,
        default standard: Value, _ documentation: String
    ) {
        self.name = name
        self.kind = kind
        self.field = field
        self.standard = standard
        self.documentation = documentation
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

/// A row of the table whose type is not asked for.
protocol AnySetting: Sendable {
    var name: String { get }
    var documentation: String { get }
    var standardText: String { get }
    func read(_ value: ConfigurationValue, into configuration: inout Configuration) throws(SettingProblem)
    /// What holds in a configuration.
    func value(in configuration: Configuration) -> ConfigurationValue
}

extension Setting: AnySetting {
    func value(in configuration: Configuration) -> ConfigurationValue { kind.write(configuration[self]) }
}
