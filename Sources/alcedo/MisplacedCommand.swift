import ArgumentParser
import Foundation

/// A command that stands behind options, where it is taken for a source.
enum MisplacedCommand {
    /// What to say where one of some words is a command, and no file of that name is there; nil elsewhere.
    static func problem(
        among words: [String], in arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> UsageProblem? {
        // Closures, as the compiler (6.3.1) crashes at key paths of metatypes.
        let shown = Alcedo.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let names = shown.compactMap { $0.configuration.commandName }
        guard let name = words.first(where: { names.contains($0) && !FileManager.default.fileExists(atPath: $0) }),
            let place = arguments.firstIndex(of: name), place > 0
        else { return nil }
        var rest = arguments
        rest.remove(at: place)
        if rest.first == "browse" { rest.removeFirst() }
        // What may be a secret is not repeated.
        let isPlain = !rest.contains { $0.hasPrefix("--header") || $0.hasPrefix("--proxy") || $0.contains("@") }
        let options = isPlain ? rest.map(quoted) : ["…"]
        return UsageProblem(text: "\(name) is a command: alcedo " + ([name] + options).joined(separator: " "))
    }

    /// As a shell takes it (POSIX, section 2.2.2).
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:%=,".contains($0) }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
