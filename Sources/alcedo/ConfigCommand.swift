import ArgumentParser
import BrowserApp
import Foundation

/// The command `alcedo config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings, or look after the config file.",
        discussion: """
            The file is $ALCEDO_CONFIG, else $XDG_CONFIG_HOME/alcedo/config.toml, else
            ~/.config/alcedo/config.toml; it may be missing, and all in it may be left out.
            Options on the command line come first, then the environment, then the file.
            Examples:
              alcedo config                      what the file and the defaults say
              alcedo config --default > "$(alcedo config --path)"
              alcedo config --check
            """)

    enum Request: String, EnumerableFlag {
        case standard, check, path

        static func name(for value: Request) -> NameSpecification {
            value == .standard ? .customLong("default") : .long
        }

        static func help(for value: Request) -> ArgumentHelp? {
            switch value {
            case .standard: "Print a config file with every setting, its comment and its default."
            case .check: "Say whether the config file is right, and what is not."
            case .path: "Print where the config file belongs."
            }
        }
    }

    @Flag var request: Request?
    @Flag(name: .long, help: "Print JSON.") var json = false

    func run() throws {
        switch request {
        case nil: print(try file()?.read() ?? Configuration())
        case .standard: print(Configuration())
        case .check: try check()
        case .path: try printPath()
        }
    }

    private func file() -> ConfigurationFile? {
        ConfigurationFile.standard(environment: ProcessInfo.processInfo.environment)
    }

    private func print(_ configuration: Configuration) {
        let console = Console()
        if json {
            for row in ConfigurationText.rows(configuration) { console.output(bytes: JSONLine.bytes(of: row)) }
        } else {
            let text = ConfigurationText.text(configuration)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                console.output(String(line))
            }
        }
    }

    private func existingFile() throws -> ConfigurationFile {
        guard let file = file() else {
            throw ProgramProblem("no place for a config file: HOME is not set; set ALCEDO_CONFIG to a file")
        }
        return file
    }

    private func printPath() throws {
        let path = try existingFile().path
        if json { Console().output(bytes: JSONLine.bytes(of: ["path": path])) } else { Console().output(path) }
    }

    private func check() throws {
        let report = ConfigurationReport(try existingFile())
        if json {
            Console().output(bytes: JSONLine.bytes(of: report))
        } else if let problem = report.problem {
            throw problem
        } else {
            Console().output(report.lines.joined(separator: ": "))
        }
        if !report.ok { throw ExitCode(ErrorReport.Code.usage) }
    }
}
