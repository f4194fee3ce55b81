import ArgumentParser
import BrowserApp
import Foundation
import ImageLoading

/// `alcedo cache` and what is under it.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look into the disk cache; alone, on a terminal, as a screen.",
        discussion: """
            FILTER terms, all of which must hold: host:NAME type:JPEG|PNG|GIF|WebP kind:original|processed|encoded
            size>500K size<2M age>12h hits<3 state:expired state:pinned, or a word of the address.
            Examples:
              alcedo cache ls host:images.example.org size>1M --sort size
              alcedo cache rm age>30d
            """,
        subcommands: [
            CacheDirCommand.self, CacheStatsCommand.self, CacheListCommand.self, CacheRemoveCommand.self,
            CacheClearCommand.self,
        ])

    @Option(name: .long, help: .of(.theme), completion: .themes) var theme: String?
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        guard Console().outputIsTerminal else {
            throw UsageProblem(text: "the cache screen needs a terminal; try: alcedo cache stats, or alcedo cache ls")
        }
        var configuration = try config.read()
        try configuration.set(.theme, to: theme, of: "--theme")
        let themes = ThemeFolder(environment: ProcessInfo.processInfo.environment)
        let program = await CacheProgram(
            disk: try Library.openDisk(LibrarySettings(configuration)), theme: try themes.theme(configuration[.theme]))
        let code = try await program.run()
        if code != 0 { throw ExitCode(code) }
    }
}

/// The command `alcedo cache dir`.
struct CacheDirCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "dir", abstract: "Print the cache's folder.")

    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let folder = try LibrarySettings(try config.read()).diskFolder().path
        let console = Console()
        if json { console.output(bytes: JSONLine.bytes(of: ["folder": folder])) } else { console.output(folder) }
    }
}

/// The command `alcedo cache stats`.
struct CacheStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Print what the cache holds and how it does.")

    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let inspector = CacheInspector(disk: try config.openDisk())
        let report = try await inspector.statistics()
        let console = Console()
        if json { console.output(bytes: JSONLine.bytes(of: report)) } else { report.lines.forEach(console.output) }
    }
}

/// The command `alcedo cache ls`.
struct CacheListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List entries.")

    @Argument(help: "Terms that entries must meet; all entries without one.") var filter: [String] = []
    @Option(
        name: .long, help: "access, size, age, hits, host or expiry.",
        completion: .names(of: CacheEntryQuery.Order.self))
    var sort = "access"
    @Flag(name: .long, help: "Smallest or oldest first.") var reverse = false
    @Option(name: .long, help: "So many at most.") var top: Int?
    @Flag(name: .long, help: "Print JSON, one entry a line.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        guard let order = CacheEntryQuery.Order(rawValue: sort) else {
            throw UsageProblem(text: "--sort takes access, size, age, hits, host or expiry, not '\(sort)'")
        }
        let inspector = CacheInspector(disk: try config.openDisk())
        let console = Console()
        try await inspector.forEachEntry(
            filter: try CacheFilter(words: filter), order: order, isAscending: reverse, top: top
        ) { entry in
            if json { console.output(bytes: JSONLine.bytes(of: entry)) } else { console.output(entry.line) }
        }
    }
}

/// The command `alcedo cache rm`.
struct CacheRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove the entries that a filter selects.")

    @Argument(help: "Terms that entries must meet; at least one.") var filter: [String]
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let inspector = CacheInspector(disk: try config.openDisk())
        let selection = try await inspector.selection(try CacheFilter(words: filter))
        try await confirmation.remove(selection, from: inspector)
    }
}

/// The command `alcedo cache clear`.
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove every entry.")

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let inspector = CacheInspector(disk: try config.openDisk())
        try await confirmation.remove(try await inspector.selection(CacheFilter()), from: inspector)
    }
}

extension ConfigFlags {
    /// The disk cache where the config file and the environment say.
    func openDisk() throws -> DiskStorage { try Library.openDisk(LibrarySettings(try read())) }
}

/// Asks before something goes.
struct Confirmation: ParsableArguments {
    @Flag(name: .long, help: "Do not ask.") var yes = false
    @Flag(name: .long, help: "Only say what would go.") var dryRun = false
    @Flag(name: .long, help: "Print JSON.") var json = false

    func remove(_ selection: CacheSelection, from inspector: CacheInspector) async throws {
        let console = Console()
        let what = selection.summary
        if !dryRun, selection.count > 0 {
            guard try yes || agrees(to: what, console: console) else {
                console.message("Nothing was removed.")
                throw ExitCode(ErrorReport.Code.failure)
            }
            try await inspector.remove(selection)
        }
        if json {
            console.output(bytes: JSONLine.bytes(of: RemovalReport(selection, isDryRun: dryRun)))
        } else {
            console.output(dryRun ? "Would remove \(what)." : "Removed \(what).")
        }
    }

    private func agrees(to what: String, console: Console) throws -> Bool {
        guard console.inputIsTerminal else {
            throw UsageProblem(text: "this would remove \(what); without a terminal say --yes")
        }
        console.prompt("Remove \(what)? [y/N] ")
        return readLine()?.lowercased().hasPrefix("y") == true
    }
}

extension CacheFilter {
    fileprivate init(words: [String]) throws {
        do throws(Problem) {
            self = try CacheFilter(words.joined(separator: " "))
        } catch {
            throw UsageProblem(text: "in the filter, '\(error.term)': expected \(error.expected)")
        }
    }
}
