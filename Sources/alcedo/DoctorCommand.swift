import ArgumentParser
import BrowserApp

/// The command `alcedo doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Tell what alcedo sees: terminal, limits, paths, cache.")

    @Flag(name: .long, help: "Print JSON, one fact a line.") var json = false

    func run() async throws {
        let console = Console()
        let facts = await DoctorProgram().facts()
        if json {
            for fact in facts { console.output(bytes: JSONLine.bytes(of: fact)) }
        } else {
            DoctorProgram.lines(facts).forEach(console.output)
        }
    }
}
