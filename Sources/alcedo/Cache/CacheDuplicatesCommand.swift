import AlcedoConfig
import AlcedoFilters
import AlcedoTools
import ArgumentParser
import FoundationEssentials
import ImageLoading

/// The command `alcedo cache dups`.
struct CacheDuplicatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dups", abstract: "List pictures that are there twice: identical and similar ones.",
        discussion: """
            Similar pictures are resized, recompressed or slightly edited copies: their
            perceptual hashes (phash) differ in at most --like bits of 64. The first picture
            of a group has the most pixels. Pictures have a hash if prefetch decoded them
            (--check decode, the default). Entries of one content are on disk once.
            Examples:
              alcedo cache dups
              alcedo cache dups host:cdn.example.net --like 3 --json
            """)

    @Argument(help: "Filter terms; without one, all entries are searched.", completion: .cacheFilter)
    var filter: [String] = []
    @Option(name: .long, help: "Bits in which hashes of similar pictures differ at most, 0 to 15.") var like =
        FilterTerm.usualDistance
    @Flag(name: .long, help: "List identical pictures only.") var identical = false
    @Flag(name: .long, help: "Print JSON, one group a line.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        _ = try OptionText.number(like, of: "--like", in: 0...15)
        let console = Console()
        var isEmpty = true
        try await config.openCache().forEachDuplicate(
            filter: try CacheFilter(words: filter), within: identical ? nil : like
        ) { group in
            isEmpty = false
            console.output(group, asJSON: json, lines: group.lines)
        }
        guard isEmpty else { return }
        if let folder = filter.first(where: Self.isFolder) {
            throw UsageProblem(text: "\(folder) is a folder, and this looks into the cache: use alcedo dups \(folder)")
        }
        console.message("no picture is there twice")
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}
