import ArgumentParser
import Foundation

/// A command as its own help describes it.
struct CommandDescription: Decodable {
    let commandName: String
    let superCommands: [String]?
    let shouldDisplay: Bool
    let abstract: String?
    let discussion: String?
    let defaultSubcommand: String?
    private let subcommands: [CommandDescription]?
    private let arguments: [ArgumentDescription]?

    /// What the program says of itself, and of every command below it.
    static func ofProgram() throws -> CommandDescription {
        struct Dump: Decodable { let command: CommandDescription }
        return try JSONDecoder().decode(Dump.self, from: Data(Alcedo._dumpHelp().utf8)).command
    }

    /// As it is called: `alcedo cache ls`.
    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// This one and all below it that help shows, each before its own.
    var all: [CommandDescription] {
        [self] + (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap(\.all)
    }

    /// What is given by place.
    var operands: [ArgumentDescription] { (arguments ?? []).filter { $0.shouldDisplay && $0.names == nil } }

    /// What is given by name; names that mean the same, such as a flag and its contrary, are one.
    var options: [OptionDescription] {
        (arguments ?? []).filter { $0.shouldDisplay && $0.names != nil }.reduce(into: []) { options, argument in
            let text = argument.abstract ?? ""
            if argument.kind == "flag", options.last?.text == text {
                options[options.count - 1].names += argument.spelledNames
            } else {
                options.append(OptionDescription(names: argument.spelledNames, value: argument.value, text: text))
            }
        }
    }

    /// The paragraphs of its discussion without the examples.
    var paragraphs: [[String]] {
        guard let discussion else { return [] }
        let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let parts = lines.split { $0.isEmpty || $0 == Self.examplesTitle }.map(Array.init)
        return parts.filter { $0 != examples }
    }

    /// The lines of its examples.
    var examples: [String] {
        guard let discussion else { return [] }
        let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.drop { $0 != Self.examplesTitle }.dropFirst().prefix { !$0.isEmpty }.map { $0 }
    }

    private static let examplesTitle = "Examples:"
}

/// What a command takes.
struct ArgumentDescription: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String
    }

    let kind: String
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let abstract: String?

    var spelledNames: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }

    /// nil for a flag.
    var value: String? { kind == "flag" ? nil : valueName }
}

/// An option, as every command that has it says the same of it.
struct OptionDescription: Hashable {
    var names: [String]
    let value: String?
    let text: String
}
