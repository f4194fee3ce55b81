import AlcedoConfig
import AlcedoTools
import ArgumentParser
import FoundationEssentials

/// The command `alcedo doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Report what alcedo detects: terminal, limits, paths, cache.")

    @Flag(name: .long, help: "Print JSON, one fact a line.") var json = false

    func run() async throws {
        let console = Console()
        let environment = ProcessInfo.processInfo.environment
        let file = ConfigurationFile.standard(environment: environment)
        // A faulty config file is reported as a fact.
        let configuration = (try? file?.read()) ?? Configuration()
        let program = DoctorProgram(
            settings: LibrarySettings(configuration),
            config: file.map { ConfigurationReport($0, themes: ThemeFolder(environment: environment)) })
        let facts = await program.facts()
        if json {
            for fact in facts { console.output(bytes: JSONLine.bytes(of: fact)) }
        } else {
            DoctorProgram.lines(facts).forEach(console.output)
        }
    }
}
