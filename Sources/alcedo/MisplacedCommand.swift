import AlcedoConfig
import ArgumentParser
import FoundationEssentials

/// Detects a command name after options, where it is parsed as a source.
enum MisplacedCommand {
    /// Returns an error if one of the words is a command and not an existing file; nil otherwise.
    static func problem(
        among words: [String], in arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> UsageProblem? {
        // Closures, because key paths of metatypes crash the compiler (6.3.1).
        let shown = Alcedo.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let names = shown.compactMap { $0.configuration.commandName }
        guard let name = words.first(where: { names.contains($0) && !FileManager.default.fileExists(atPath: $0) }),
            let place = arguments.firstIndex(of: name), place > 0
        else { return nil }
        var rest = arguments
        rest.remove(at: place)
        if rest.first == "browse" { rest.removeFirst() }
        // Options that may contain secrets are not repeated.
        let isPlain = !rest.contains { $0.hasPrefix("--header") || $0.hasPrefix("--proxy") || $0.contains("@") }
        let options = isPlain ? rest.map(Console.quoted) : ["…"]
        return UsageProblem(text: "\(name) is a command: alcedo " + ([name] + options).joined(separator: " "))
    }
}
