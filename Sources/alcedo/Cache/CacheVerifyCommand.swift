import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The command `alcedo cache verify`.
struct CacheVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the cache against its index.",
        discussion: """
            It checks that the file of each entry exists and has the right length; --full
            also reads it and checks its digest. Damaged entries are marked and never
            served. --repair removes them and unused files, and corrects the totals.
            Exit code: 0 sound or repaired, 1 damage was found.
            Examples:
              alcedo cache verify
              alcedo cache verify --full --repair --json
            """)

    @Flag(name: .long, help: "Read every file and check its digest.") var full = false
    @Flag(name: .long, help: "Repair what can be repaired.") var `repair` = false
    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let console = Console()
        let showsProgress = console.errorIsTerminal && !json
        let disk = try await config.openCache()
        let result = try await disk.verify(isFull: full, repairs: `repair`) { done, total in
            if showsProgress { console.progress("\rchecked \(done) of \(total)\u{1B}[K") }
        }
        let report = CacheVerificationReport(result)
        if showsProgress { console.progress("\r\u{1B}[K") }
        console.output(report, asJSON: json, lines: report.lines)
        if !report.isSound, !report.isRepaired { throw ExitCode(ErrorReport.Code.failure) }
    }
}
