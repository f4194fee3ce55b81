import AlcedoConfig
import ArgumentParser
import FoundationEssentials

/// The option that controls whether the config file is read.
struct ConfigFlags: ParsableArguments {
    @Flag(name: .long, help: "Ignore the config file.") var noConfig = false

    /// Returns what is right in the config file and the environment, and what is wrong; applies the setting for secrets.
    func contents(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> ConfigurationContents {
        let contents = ConfigurationContents(environment: environment, ignoresFile: noConfig)
        contents.configuration.applyRedaction()
        return contents
    }

    /// Returns the contents of the config file, an empty configuration if there is none.
    ///
    /// - Throws: All faults, if the file has any; a wrong variable ends the commands that use it.
    func read() throws(ConfigurationProblem) -> Configuration {
        let contents = contents()
        guard !contents.hasFaultyFile else { throw ConfigurationProblem(contents.faults) }
        return contents.configuration
    }
}

extension Configuration {
    /// Overwrites a setting with the value of an option; nil changes nothing.
    mutating func set<Value>(_ setting: Setting<Value>, to text: String?, of option: String) throws {
        try set(setting, to: text.map { .text($0) }, of: option)
    }

    mutating func set<Value>(_ setting: Setting<Value>, to number: Int?, of option: String) throws {
        try set(setting, to: number.map { .number($0) }, of: option)
    }

    mutating func set(_ setting: Setting<Bool>, to flag: Bool?, of option: String) throws {
        try set(setting, to: flag.map { .flag($0) }, of: option)
    }

    private mutating func set<Value>(
        _ setting: Setting<Value>, to value: ConfigurationValue?, of option: String
    ) throws {
        guard let value else { return }
        do throws(SettingProblem) { try setting.read(value, into: &self) } catch {
            throw UsageProblem(text: "\(option) \(error)")
        }
    }
}

extension CompletionKind {
    /// The built-in themes and the user's.
    static var themes: CompletionKind {
        .custom { _, _, _ in ThemeFolder(environment: ProcessInfo.processInfo.environment).names }
    }

    /// The raw values of an enumeration.
    static func names<Choice: CaseIterable & RawRepresentable<String>>(of choice: Choice.Type) -> CompletionKind {
        .list(choice.allCases.map(\.rawValue))
    }

    /// The values of a setting.
    static func of<Choice: CaseIterable & RawRepresentable<String>>(_ setting: Setting<Choice>) -> CompletionKind {
        .names(of: Choice.self)
    }
}

extension ArgumentHelp {
    /// Creates the help from the setting's documentation and its default.
    static func of<Value>(_ setting: Setting<Value>) -> ArgumentHelp {
        let standard = setting.standardText
        return ArgumentHelp(
            stringLiteral: setting.documentation + (standard.isEmpty ? "" : " (default: \(standard))"))
    }
}
