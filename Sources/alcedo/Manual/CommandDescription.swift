import ArgumentParser
import Foundation

/// A command as described by its own help.
struct CommandDescription: Decodable {
    let commandName: String
    let superCommands: [String]?
    let shouldDisplay: Bool
    let abstract: String?
    let discussion: String?
    let defaultSubcommand: String?
    private let subcommands: [CommandDescription]?
    private let arguments: [ArgumentDescription]?

    /// Returns the description of the program with all its commands.
    static func ofProgram() throws -> CommandDescription {
        struct Dump: Decodable { let command: CommandDescription }
        return try JSONDecoder().decode(Dump.self, from: Data(Alcedo._dumpHelp().utf8)).command
    }

    /// The full name, as `alcedo cache ls`.
    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// This command and all visible commands below it, depth first.
    var all: [CommandDescription] {
        [self] + (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap(\.all)
    }

    /// The positional arguments.
    var operands: [ArgumentDescription] { (arguments ?? []).filter { $0.shouldDisplay && $0.names == nil } }

    /// The named options; flags with the same text, such as a flag and its inversion, are merged.
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

    /// The paragraphs of the discussion without the examples.
    var paragraphs: [[String]] {
        guard let discussion else { return [] }
        let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let parts = lines.split { $0.isEmpty || $0 == Self.examplesTitle }.map(Array.init)
        return parts.filter { $0 != examples }
    }

    /// The lines of the examples.
    var examples: [String] {
        guard let discussion else { return [] }
        let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.drop { $0 != Self.examplesTitle }.dropFirst().prefix { !$0.isEmpty }.map { $0 }
    }

    private static let examplesTitle = "Examples:"
}

/// An argument or option of a command.
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

    /// Nil for a flag.
    var value: String? { kind == "flag" ? nil : valueName }
}

/// An option that may be shared by several commands.
struct OptionDescription: Hashable {
    var names: [String]
    let value: String?
    let text: String
}
