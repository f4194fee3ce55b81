import AlcedoConfig
import AlcedoTools
import ArgumentParser
import FoundationEssentials
import ImageLoading

/// The command `alcedo cache import`.
struct CacheImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy the entries of other caches into this one, as those of other machines or shards.",
        discussion: """
            FOLDER is a cache folder, as alcedo cache dir prints it; its entries stay there. Entries that are here already, \
            at least as new, stay; expired and damaged ones are left out. Entries of addresses with secrets cannot be \
            copied, because an index does not have these.
            Exit code: 0 done, 1 a folder is no cache or cannot be read, or an entry cannot be stored, 2 usage error.
            Example: alcedo cache import /mnt/shard-1/cache /mnt/shard-2/cache
            """)

    @Argument(help: "Cache folders.", completion: .directory) var folders: [String]
    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let others = try folders.map { try CacheImport.open($0) }
        let disk = try await config.openCache()
        var report = CacheImport.Report()
        for other in others { try await CacheImport.copy(other, into: disk, &report) }
        Console().output(report, asJSON: json, lines: report.lines)
    }
}
