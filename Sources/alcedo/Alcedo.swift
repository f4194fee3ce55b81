import AlcedoCCommit
import AlcedoConfig
import AlcedoSupport
import ArgumentParser
import FoundationEssentials
import Glibc
import ImageLoading

/// The command `alcedo` with its subcommands.
struct Alcedo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alcedo",
        abstract: "Browse lists of image URLs in the terminal, prefetch them, and inspect the cache.",
        discussion: """
            Examples:
              alcedo photos.txt                 browse a list
              alcedo https://host/picture.jpg   browse one picture
              alcedo ~/Pictures                 browse a folder
              alcedo prefetch photos.txt        fill the cache without a screen
              alcedo download photos.txt -o DIR write the pictures into a folder
              alcedo cache                      inspect the cache
              alcedo demo                       try it with demo pictures
              alcedo help filters               explain filters; also lists, processors
            """,
        version: versionLine(commit: alcedo_commit_hash().map { String(cString: $0) }),
        subcommands: [
            BrowseCommand.self, ShowCommand.self, CompareCommand.self, ExportCommand.self, PrefetchCommand.self,
            DownloadCommand.self, CheckCommand.self, DuplicatesCommand.self, ReportCommand.self, SheetCommand.self,
            CacheCommand.self, ConfigCommand.self, DoctorCommand.self, DemoCommand.self,
        ],
        defaultSubcommand: BrowseCommand.self)

    static let version = "0.1.0"

    /// Returns what `--version` prints: `alcedo 0.1.0 (abc1234)`, without the parentheses if the commit is not known.
    static func versionLine(commit: String?) -> String {
        "alcedo \(version)" + (commit.map { " (\($0))" } ?? "")
    }
}

@main
struct Main {
    static func main() async {
        occupyStandardStreams()
        // Makes a write to a closed pipe return an error instead of ending the process, for example with `head`.
        signal(SIGPIPE, SIG_IGN)
        // The same for a write beyond the file size limit.
        signal(SIGXFSZ, SIG_IGN)
        if let problem = ProcessLimits.problem() {
            Console().message("alcedo: \(problem)")
            exit(ErrorReport.Code.failure)
        }
        // Pictures are decoded in helper processes; `--sandbox off` allows it here.
        InProcessDecoding.forbid()
        if CommandLine.arguments.dropFirst().first == "show" { SandboxedDecoder().prepare() }
        let code = await run()
        guard let problem = Console.outputProblem else { exit(code) }
        Console().message("alcedo: standard output is incomplete: \(problem)")
        // The codes of complete and partial results would hide the loss. Other codes report something worse.
        exit([0, 3, 4].contains(code) ? ErrorReport.Code.failure : code)
    }

    /// Opens `/dev/null` in place of closed standard streams, so that no other file gets their descriptors.
    ///
    /// Reads then return nothing, and writes fail as before.
    private static func occupyStandardStreams() {
        var descriptor = open("/dev/null", O_RDONLY)
        while (0...2).contains(descriptor) { descriptor = open("/dev/null", O_RDONLY) }
        close(descriptor)
    }

    /// The arguments of the process, which may be paths of any bytes.
    private static var arguments: [String] {
        (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { String(pathCString: $0) } }
    }

    /// Runs the command and returns the exit code.
    private static func run() async -> Int32 {
        if arguments.count == 3, arguments[1] == "help", let topic = HelpTopic(rawValue: arguments[2]) {
            for line in topic.text.split(separator: "\n", omittingEmptySubsequences: false) {
                Console().output(String(line))
            }
            return 0
        }
        do {
            try checkTopic()
            var command = try await parse()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            return ErrorReport.report(error, to: Console())
        }
    }

    /// Refuses `alcedo help WORD` for a word that is neither a command nor a topic, for which the parser would print its
    /// general help.
    private static func checkTopic() throws {
        guard arguments.count > 2, arguments[1] == "help", !arguments[2].hasPrefix("-") else { return }
        let names = Alcedo.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.contains(arguments[2]), arguments[2] != "help" else { return }
        let topics = (names + HelpTopic.allCases.map(\.rawValue)).sorted().joined(separator: ", ")
        throw ValidationError("No help for '\(arguments[2])'. There is help for \(topics).")
    }

    /// Parses the subcommand named by the first argument alone, because the parser takes 6 ms for the whole tree.
    ///
    /// If that fails, or for help, the whole tree is parsed for its error messages.
    private static func parse() async throws -> sending any ParsableCommand {
        let arguments = arguments.dropFirst().map { $0 == ShortHelp.allFlag ? "--help" : $0 }
        for command in Alcedo.configuration.subcommands where command.configuration.commandName == arguments.first {
            let rest = Array(arguments.dropFirst())
            if let command = command as? any AsyncParsableCommand.Type {
                if let parsed = try? await command.asyncParse(rest) { return parsed }
            } else if let parsed = try? command.parse(rest) {
                return parsed
            }
        }
        do { return try await Alcedo.asyncParseAsRoot(Array(arguments)) } catch {
            // The options before a command name may belong to that command; the default command does not know them.
            guard Alcedo.exitCode(for: error) != .success, let first = arguments.first, first.hasPrefix("-"),
                let problem = MisplacedCommand.problem(among: Array(arguments))
            else { throw error }
            throw problem
        }
    }
}
