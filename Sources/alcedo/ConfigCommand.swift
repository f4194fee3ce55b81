import AlcedoConfig
import ArgumentParser
import FoundationEssentials

/// The command `alcedo config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings, or check the config file.",
        discussion: """
            The file is $ALCEDO_CONFIG, else $XDG_CONFIG_HOME/alcedo/config.toml, else
            ~/.config/alcedo/config.toml. The file and all settings in it are optional.
            Command-line options override the environment, which overrides the file.
            Examples:
              alcedo config                      the settings in effect and their sources
              alcedo config --default > "$(alcedo config --path)"
              alcedo config --check
              alcedo config --check new.toml
            """)

    enum Request: String, EnumerableFlag {
        case standard, check, path

        static func name(for value: Request) -> NameSpecification {
            value == .standard ? .customLong("default") : .long
        }

        static func help(for value: Request) -> ArgumentHelp? {
            switch value {
            case .standard: "Print a config file with every setting, its comment and its default."
            case .check: "Report errors in the config file, or FILE."
            case .path: "Print where the config file belongs."
            }
        }
    }

    @Flag var request: Request?
    @Flag(name: .long, help: "Print JSON.") var json = false
    @Argument(help: "Another file to check.", completion: .file(extensions: ["toml"])) var file: String?

    func validate() throws {
        guard file == nil || request == .check else { throw ValidationError("a file can only be given with --check") }
    }

    func run() throws {
        switch request {
        case nil: try printWhatHolds()
        case .standard: printStandard()
        case .check: try check()
        case .path: try printPath()
        }
    }

    private var environment: [String: String] { ProcessInfo.processInfo.environment }

    private func standardFile() throws -> ConfigurationFile {
        guard let file = ConfigurationFile.standard(environment: environment) else {
            throw ProgramProblem("no place for a config file: HOME is not set; set ALCEDO_CONFIG to a file")
        }
        return file
    }

    private func printWhatHolds() throws {
        let file = ConfigurationFile.standard(environment: environment)
        let found = try file?.read()
        let rows = ConfigurationRow.all(found ?? Configuration(), environment: environment)
        guard !json else { return print(rows) }
        let name = file.map { found == nil ? "\($0.path), which does not exist" : $0.path } ?? "none"
        Console().output("# The settings in effect and where they are from; options override them. The file: \(name)")
        ConfigurationRow.lines(rows).forEach(Console().output)
    }

    private func printStandard() {
        guard !json else { return print(ConfigurationRow.all(Configuration(), environment: [:])) }
        let text = ConfigurationText.text()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            Console().output(String(line))
        }
    }

    private func print(_ rows: [ConfigurationRow]) {
        for row in rows { Console().output(bytes: JSONLine.bytes(of: row)) }
    }

    private func printPath() throws {
        let path = try standardFile().path
        Console().output(["path": path], asJSON: json, lines: [path])
    }

    private func check() throws {
        let checked = try file.map { ConfigurationFile(path: $0) } ?? standardFile()
        let report = ConfigurationReport(
            checked, themes: ThemeFolder(environment: environment), environment: file == nil ? environment : [:])
        if json {
            Console().output(bytes: JSONLine.bytes(of: report))
        } else if !report.ok {
            throw ConfigurationProblem(report.faults)
        } else {
            Console().output(report.lines.joined(separator: ": "))
        }
        if !report.ok { throw ExitCode(ErrorReport.Code.usage) }
    }
}
