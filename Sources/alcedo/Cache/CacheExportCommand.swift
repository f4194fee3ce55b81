import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The command `alcedo cache export`.
struct CacheExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the bytes of the entries that a filter selects into a folder, unchanged.",
        discussion: """
            Each file has the last part of its address as its name; equal names are numbered. No file is replaced. For the \
            processed bytes of one picture, use alcedo export; for one entry, alcedo cache get.
            Exit code: 0 all written, 1 some could not be written, 2 usage error.
            Examples:
              alcedo cache export 'host:images.example.org type:png' -o pictures
              alcedo cache export 'w>4000 !dup' kind:original -o large
            """)

    @Argument(help: "Filter terms; all entries without one.", completion: .cacheFilter)
    var filter: [String] = []
    @Option(name: [.customShort("o"), .long], help: "The folder; it is made if it is missing.", completion: .directory)
    var output: String
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let filter = try CacheFilter(words: filter)
        let result = try await config.openCache().export(where: filter, to: output)
        Console().message(result.isComplete ? result.line : "alcedo: \(result.line)")
        if !result.isComplete { throw ExitCode(ErrorReport.Code.failure) }
    }
}
