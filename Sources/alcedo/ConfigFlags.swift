import ArgumentParser
import BrowserApp
import Foundation

/// Where a command takes its defaults from: the config file, unless told not to.
struct ConfigFlags: ParsableArguments {
    @Flag(name: .long, help: "Ignore the config file.") var noConfig = false

    /// What the config file says; nothing when there is none.
    func read() throws(ConfigurationProblem) -> Configuration {
        guard !noConfig else { return Configuration() }
        return try ConfigurationFile.standard(environment: ProcessInfo.processInfo.environment)?.read()
            ?? Configuration()
    }
}

extension Configuration {
    /// Writes what an option gives over what the config file says; nil leaves it.
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
    /// The themes of ours and the user's.
    static var themes: CompletionKind {
        .custom { _, _, _ in ThemeFolder(environment: ProcessInfo.processInfo.environment).names }
    }

    /// A few words.
    static func names<Choice: CaseIterable & RawRepresentable<String>>(of choice: Choice.Type) -> CompletionKind {
        .list(choice.allCases.map(\.rawValue))
    }
}

extension ArgumentHelp {
    /// The words of the config file, and the default when neither it nor the option says anything.
    static func of<Value>(_ setting: Setting<Value>) -> ArgumentHelp {
        let standard = setting.standardText
        return ArgumentHelp(
            stringLiteral: setting.documentation + (standard.isEmpty ? "" : " (default: \(standard))"))
    }
}
