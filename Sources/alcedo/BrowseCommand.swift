import ArgumentParser
import BrowserApp
import Foundation

/// `alcedo browse`, and `alcedo` with sources alone.
struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse pictures in the terminal (the default).",
        discussion: """
            A source is a list file with one URL or path a line, a folder, a picture, a URL, or - for a list on
            standard input. Press ? in the browser for its keys.
            """)

    @Argument(help: "Lists, folders, pictures, URLs, or -.") var sources: [String] = []
    @OptionGroup var options: BrowseFlags

    func run() async throws {
        guard !sources.isEmpty else {
            throw UsageProblem(text: "nothing to browse; try: alcedo FILE, alcedo FOLDER, alcedo URL, or alcedo demo")
        }
        if sources.contains("-"), Console().inputIsTerminal {
            throw UsageProblem(text: "- reads a list from standard input, which is the terminal; pipe a list into it")
        }
        try await options.browse(sources, title: sources.count == 1 ? sources[0] : "\(sources.count) sources")
    }
}

/// What the browser takes from the command line, for `browse` and `demo`.
struct BrowseFlags: ParsableArguments {
    @Option(name: .long, help: "auto, sixel or blocks.") var graphics = "auto"
    @Option(name: .long, help: "A processor chain, as 'blur(6) |> round(20)'.") var process = ""
    @Flag(name: .long, help: "Fetch only what is looked at.") var noPrefetch = false
    @Flag(name: .long, help: "Show new pictures at once.") var noTransitions = false
    @Flag(name: .long, help: "Draw with ASCII signs only.") var ascii = false
    @Flag(name: .long, help: "On exit, print the marked sources, or else the chosen one.") var select = false
    @OptionGroup(title: "Retrying") var retry: RetryFlags

    @MainActor
    func browse(
        _ lists: [String], title: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        let settings = try settings(lists, title: title, environment)
        let program = BrowserProgram(settings: settings)
        let code = try await program.run()
        if select { program.selectedLocations.forEach(Console().output) }
        if code != 0 { throw ExitCode(code) }
    }

    private func settings(
        _ lists: [String], title: String, _ environment: [String: String]
    ) throws -> BrowserSettings {
        var settings = BrowserSettings()
        settings.environment = environment
        settings.lists = lists
        settings.title = title
        settings.isASCII = ascii || !Self.isUnicode(settings.environment)
        settings.prefetches = !noPrefetch
        settings.hasTransitions = !noTransitions
        settings.processor = try ProcessorOption.parse(process)
        settings.processorText = process
        settings.retry = try retry.settings()
        guard settings.setGraphics(graphics) else {
            throw UsageProblem(text: "--graphics takes auto, sixel or blocks, not '\(graphics)'")
        }
        return settings
    }

    private static func isUnicode(_ environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let upper = locale.uppercased()
        return upper.contains("UTF-8") || upper.contains("UTF8")
    }
}
