import AlcedoConfig
import AlcedoTools
import ArgumentParser

/// The command `alcedo cache path`.
struct CachePathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path", abstract: "Print the file that holds the bytes of an entry.",
        discussion: """
            For reading only: the file has no extension, other entries with the same bytes share it, and eviction removes it.
            Example: identify "$(alcedo cache path https://images.example.org/poster.png)"
            """)

    @Argument(help: .cacheKey, completion: .cacheEntries) var entry: String
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        Console().output(location: try await config.openCache().path(ofEntry: entry))
    }
}

/// The command `alcedo cache get`.
struct CacheGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write the bytes of an entry to a file, unchanged.",
        discussion: """
            An address selects the original if it is cached.
            Examples:
              alcedo cache get https://images.example.org/poster.png -o poster.png
              alcedo cache get 3fa9c2d1b04e -o - | chafa
            """)

    @Argument(help: .cacheKey, completion: .cacheEntries) var entry: String
    @Option(name: [.customShort("o"), .long], help: "The file, or - for standard output.", completion: .file())
    var output: String
    @Flag(name: .long, help: "Replace an existing file.") var force = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let (console, disk) = (Console(), try await config.openCache())
        if output == "-" {
            guard !console.outputIsTerminal else {
                throw UsageProblem(text: "-o - writes the bytes of a picture, and standard output is the terminal")
            }
            return console.output(bytes: Array(try await disk.contents(ofEntry: entry)))
        }
        try await disk.export(entry, to: output, mayReplace: force)
    }
}
