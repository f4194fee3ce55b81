import AlcedoAssets
import AlcedoConfig
import AlcedoDemoServer
import AlcedoPrefetch
import AlcedoTools
import ArgumentParser
import FoundationEssentials
import Glibc
import ImageLoading

/// The command `alcedo demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Browse demo pictures, served slowly on loopback.",
        discussion: "Without a terminal it prefetches them with plain progress lines and prints the cache's statistics."
    )

    @Option(name: .long, help: "Approximate bytes per second for each picture, with K, M or G.") var rate = "120K"
    @OptionGroup var options: BrowseFlags

    func run() async throws {
        guard let pictures = Assets.picturesFolder() else {
            throw ProgramProblem(
                "the demo's pictures are missing; they belong in ../share/alcedo/pictures, seen from the program")
        }
        let server = try await DemoServer.start(
            pictures: pictures, rate: try OptionText.value(rate, .bytes, of: "--rate"))
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await show(server)) } catch { outcome = .failure(error) }
        await server.stop()
        try outcome.get()
    }

    private func show(_ server: DemoServer) async throws {
        // A temporary cache, so that the demo always downloads and does not touch the user's cache.
        let cache = FileManager.default.temporaryDirectory.appending(path: "alcedo-demo-\(getpid())")
        defer { try? FileManager.default.removeItem(at: cache) }
        var environment = ProcessInfo.processInfo.environment
        environment["ALCEDO_CACHE_DIR"] = cache.path(percentEncoded: false)
        if Console().outputIsTerminal {
            var options = options
            // The server has another port each time.
            options.session = false
            try await options.browse(server.urls, title: "demo", environment: environment)
        } else {
            try await prefetch(server.urls, environment: environment)
        }
    }

    private func prefetch(_ urls: [String], environment: [String: String]) async throws {
        var settings = PrefetchSettings()
        settings.lists = urls
        settings.title = "demo"
        settings.library = LibrarySettings(try options.config.read(), environment: environment)
        settings[.progress] = .plain
        let tally = try await PrefetchProgram(settings: settings).runHandlingSignals()
        if tally.signal != nil { throw ExitCode(tally.exitCode) }
        let disk = try ImageServices.openDisk(settings.library)
        let report = CacheStatisticsReport(try await disk.statistics(), folder: disk.folder.path)
        report.lines.forEach(Console().output)
    }
}
