import ArgumentParser
import BrowserApp
import Foundation

/// The manual page, generated from the commands' help and from `ManualText`.
struct ManualPage {
    let program: CommandDescription
    /// The date of the page, as `2026-01-31`.
    let day: String

    /// The lines in the language of man(7).
    var lines: [String] {
        let opening = [#".TH ALCEDO 1 "\#(day)" "alcedo \#(Alcedo.version)" "User Commands""#]
        let sections: [[String]] = [
            name, synopsis, Roff.section("DESCRIPTION") + Roff.paragraphs(ManualText.description), commands, options,
            keys, Roff.section("FILES") + Roff.terms(ManualText.files),
            Roff.section("ENVIRONMENT") + Roff.terms(ManualText.environment),
            Roff.section("EXIT STATUS") + Roff.terms(ManualText.exitCodes), examples,
        ]
        return opening + sections.joined()
    }

    private var commandList: [CommandDescription] { Array(program.all.dropFirst()) }

    private var name: [String] {
        let text = program.abstract ?? ""
        return Roff.section("NAME") + Roff.text("alcedo - \(text.prefix(1).lowercased())\(text.dropFirst().dropLast())")
    }

    private var synopsis: [String] {
        Roff.section("SYNOPSIS")
            + commandList.flatMap { command in
                [Roff.bold(calling(command)), Self.operands(of: command), ".br"].filter { !$0.isEmpty }
            }.dropLast()
    }

    private func calling(_ command: CommandDescription) -> String {
        let isDefault = command.commandName == program.defaultSubcommand
        return isDefault ? "\(program.commandName) [\(command.commandName)]" : command.fullName
    }

    private static func operands(of command: CommandDescription) -> String {
        let operands = command.operands.map { operand in
            let text = Roff.italic(operand.valueName ?? "") + (operand.isRepeating ? "..." : "")
            return operand.isOptional ? "[\(text)]" : text
        }
        return Roff.joined([command.options.isEmpty ? "" : "[" + Roff.italic("options") + "]"] + operands)
    }

    private var commands: [String] {
        Roff.section("COMMANDS")
            + commandList.flatMap { command in
                Roff.subsection(command.fullName) + Roff.text(command.abstract ?? "")
                    + command.operands.flatMap { Roff.term([Roff.italic($0.valueName ?? "")], $0.abstract ?? "") }
                    + command.paragraphs.flatMap(Self.paragraph)
            }
    }

    /// Returns a filled paragraph, or unchanged lines if one of them is indented, as in a table.
    private static func paragraph(_ lines: [String]) -> [String] {
        let isTable = lines.contains { $0.hasPrefix("  ") }
        return [".PP"] + (isTable ? Roff.verbatim(lines) : Roff.text(lines.joined(separator: " ")))
    }

    private var options: [String] {
        let commands = commandList
        var order: [OptionDescription] = []
        var users: [OptionDescription: [String]] = [:]
        for command in commands {
            for option in command.options {
                if users[option] == nil { order.append(option) }
                users[option, default: []].append(String(command.fullName.dropFirst("alcedo ".count)))
            }
        }
        order.sort { $0.sortName < $1.sortName }
        return Roff.section("OPTIONS") + Roff.text(ManualText.options)
            + order.flatMap { option in
                let users = users[option] ?? []
                let scope = users.count == commands.count ? "" : " Commands: \(users.joined(separator: ", "))."
                return Roff.term(Self.signature(of: option), option.text + scope)
            }
    }

    private static func signature(of option: OptionDescription) -> [String] {
        let names = option.names.map(Roff.bold).joined(separator: ", ")
        return [names + (option.value.map { " " + Roff.italic($0) } ?? "")]
    }

    private var keys: [String] {
        Roff.section("KEYS") + Roff.text(ManualText.keys)
            + BrowserKeys.standard.flatMap { row in
                Roff.term([row.keys.map(Roff.bold).joined(separator: ", ")], "\(row.title) (\(row.action))")
            }
    }

    private var examples: [String] {
        Roff.section("EXAMPLES")
            + program.all.filter { !$0.examples.isEmpty }.flatMap { command in
                Roff.subsection(command.fullName) + Roff.verbatim(command.examples)
            }
    }
}

extension OptionDescription {
    /// The long name, or else the short one, without dashes.
    fileprivate var sortName: String {
        String((names.first { $0.hasPrefix("--") } ?? names.first ?? "").drop { $0 == "-" })
    }
}

/// The command `alcedo manual`, called by `make install`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page, for man.", shouldDisplay: false)

    func run() throws {
        let page = ManualPage(program: try CommandDescription.ofProgram(), day: Self.day)
        page.lines.forEach(Console().output)
    }

    /// The date of `$SOURCE_DATE_EPOCH`, for reproducible builds, else today.
    private static var day: String {
        let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(TimeInterval.init)
        let date = epoch.map(Date.init(timeIntervalSince1970:)) ?? Date()
        return date.formatted(.iso8601.year().month().day())
    }
}
