import AlcedoConfig
import AlcedoFilters
import AlcedoTools
import ArgumentParser
import BrowserApp
import FoundationEssentials
import ImageLoading

/// The command `alcedo cache` with its subcommands.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Inspect the disk cache; without a subcommand, on the cache screen.",
        discussion: """
            FILTER terms: host:NAME type:FORMAT kind:original|processed|encoded state:expired|pinned|damaged key:KEY|URL \
            'size>500K' 'age>12h' 'unused>30d' 'hits<3' 'w>1000' 'h<200' 'mpx>2' 'frames>1' ratio:16:9 \
            verdict:whole|incomplete|corrupt|unreadable|unchecked color:grey|RGB|CMYK|Lab alpha:yes|no camera:TEXT \
            taken:2026-07 mismatch (the \
            name says another format) dup (another entry has its bytes) like:BITS (another one looks like it), a glob as \
            *.png or /photos/* for the end of the path, ~REGEX, or a word of the address. All terms must match; | \
            separates alternatives, and ! negates a term. Terms with < > | ! or blanks need quotes in a shell. KEY is \
            the name that ls prints first, or its beginning; URL is the address.
            Exit code: 0 done, 1 failed, not found, or verify found damage, 2 usage error.
            Examples:
              alcedo cache ls host:images.example.org 'size>1M' --sort size
              alcedo cache get https://images.example.org/poster.png -o poster.png
              alcedo cache prune --unused 30d --max-size 2G --dry-run
              alcedo cache verify --full --repair
            """,
        subcommands: [
            CacheDirCommand.self, CacheStatsCommand.self, CacheListCommand.self, CacheShowCommand.self,
            CacheGetCommand.self, CachePathCommand.self, CacheExportCommand.self, CacheImportCommand.self,
            CacheDuplicatesCommand.self, CacheRemoveCommand.self,
            CachePruneCommand.self, CacheVerifyCommand.self, CachePinCommand.self, CacheUnpinCommand.self,
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
        let disk = try ImageServices.openDisk(LibrarySettings(configuration))
        let theme = try themes.theme(configuration[.theme])
        // Opened entries are shown in the browser; when it quits, the cache screen returns.
        var program = await CacheProgram(
            cache: ImageCache(disk: disk), isStandalone: true, isASCII: configuration.isASCII(),
            hasMouse: configuration[.mouse], theme: theme, sandbox: configuration[.sandbox])
        while true {
            let code = try await program.run()
            if code != 0 { throw ExitCode(code) }
            let addresses = await program.openedAddresses
            guard !addresses.isEmpty else { return }
            try await BrowseFlags.parse(browsing).browse(addresses, title: "cache")
            program = await program.again()
        }
    }

    private var browsing: [String] {
        (theme.map { ["--theme", $0] } ?? []) + (config.noConfig ? ["--no-config"] : [])
    }
}

/// The command `alcedo cache dir`.
struct CacheDirCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dir", abstract: "Print the cache's folder.",
        discussion: "Example: du -sh \"$(alcedo cache dir)\"")

    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let folder = try LibrarySettings(try config.read()).diskFolder().path
        Console().output(["folder": folder], asJSON: json, lines: [folder])
    }
}

/// The command `alcedo cache stats`.
struct CacheStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Print the contents and hit rates of the cache.",
        discussion: """
            Hits, misses and evictions are those of all runs. "disk" is the folder's size as du reports it while the \
            index is open, which adds some 60 KiB.
            Example: alcedo cache stats --json
            """)

    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let disk = try await config.openCache()
        let report = CacheStatisticsReport(try await disk.statistics(), folder: disk.folder.path)
        Console().output(report, asJSON: json, lines: report.lines)
    }
}

extension ConfigFlags {
    /// Opens the disk cache named by the config file and the environment.
    func openCache() async throws -> DiskStorage {
        let disk = try ImageServices.openDisk(LibrarySettings(try read()))
        if disk.wasReset { Console().message(DiskStorage.resetMessage) }
        return disk
    }
}

extension CacheFilter {
    init(words: [String]) throws {
        do throws(FilterProblem) {
            self = try CacheFilter(CacheFilter.text(of: words))
        } catch {
            throw UsageProblem(text: "in the filter, \(error)")
        }
    }
}
