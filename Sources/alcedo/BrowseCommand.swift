import AlcedoConfig
import AlcedoLists
import ArgumentParser
import BrowserApp
import FoundationEssentials

/// The command `alcedo browse`, also run by `alcedo` with sources only.
struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse pictures in the terminal (the default).",
        discussion: """
            A source is a list file with one URL or path per line, a folder, a picture, a URL, or - for a list \
            on standard input. Press ? in the browser for its keys.
            """)

    @Argument(help: "Lists, folders, pictures, URLs, or -.", completion: .file()) var sources: [String] = []
    @OptionGroup var options: BrowseFlags

    func run() async throws {
        guard !sources.isEmpty else {
            throw UsageProblem(text: "nothing to browse; try: alcedo FILE, alcedo FOLDER, alcedo URL, or alcedo demo")
        }
        if let problem = MisplacedCommand.problem(among: sources) { throw problem }
        if sources.contains("-"), Console().inputIsTerminal {
            throw UsageProblem(text: "- reads a list from standard input, which is the terminal; pipe a list into it")
        }
        try await options.browse(sources, title: sources.count == 1 ? sources[0] : "\(sources.count) sources")
    }
}

/// The options of the browser, for `browse` and `demo`.
struct BrowseFlags: ParsableArguments {
    @Option(name: .long, help: .of(.theme), completion: .themes) var theme: String?
    @Option(name: .long, help: .of(.graphics), completion: .of(.graphics)) var graphics: String?
    @Option(name: .long, help: .of(.process), completion: .processors) var process: String?
    @Flag(name: [.customShort("r"), .long], help: "List the pictures of subfolders, too, instead of the subfolders.")
    var recursive = false
    @Option(name: .long, help: .base, completion: .directory) var base: String?
    @Flag(name: .long, inversion: .prefixedNo, help: .of(.prefetches)) var prefetch: Bool?
    @Flag(name: .long, inversion: .prefixedNo, help: .of(.prefetchesAll)) var prefetchAll: Bool?
    @Flag(name: .long, inversion: .prefixedNo, help: .of(.session)) var session: Bool?
    @Flag(name: .long, inversion: .prefixedNo, help: .of(.hidden)) var hidden: Bool?
    @Flag(name: .long, inversion: .prefixedNo, help: .of(.transitions)) var transitions: Bool?
    @Option(name: .long, help: .of(.transition), completion: .of(.transition)) var transition: String?
    @Option(name: .long, help: .of(.indicator), completion: .list(BuiltInNames.indicators))
    var indicator: String?
    @Option(name: .long, help: .of(.placeholder), completion: .list(BuiltInNames.placeholders))
    var placeholder: String?
    @Option(name: .long, help: .of(.failure), completion: .list(BuiltInNames.failures)) var failure: String?
    @Flag(name: .long, inversion: .prefixedNo, help: .of(.ascii)) var ascii: Bool?
    @Flag(name: .long, help: "On exit, print the marked sources, or else the selected one; none after ctrl-c.")
    var select = false
    @Flag(
        name: [.customShort("0"), .long], help: "End each source that --select prints with NUL instead of a line end.")
    var null = false
    @Flag(name: .long, help: "Exit with status 3 if a list has an unusable line.") var strict = false
    @OptionGroup var transfers: TransferFlags
    @OptionGroup var limits: LimitFlags
    @OptionGroup(title: "Connections") var connection: ConnectionFlags
    @OptionGroup(title: "Retrying") var retry: RetryFlags
    @OptionGroup var config: ConfigFlags

    @MainActor
    func browse(
        _ lists: [String], title: String, compares: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        var first = try await settings(lists, title: title, environment)
        first.compares = compares
        let program = BrowserProgram(settings: first) { try await settings(lists, title: title, environment) }
        // If no source can be read, the error is printed where it stays visible. One bad source among others is
        // skipped.
        let problems = lists.compactMap { list in Result { try ListSource.detect(list) }.failure }
        if problems.count == lists.count, let first = problems.first { throw first }
        let code = try await program.run()
        if select, code == 0 {
            for location in program.selectedLocations {
                Console().output(location: location, endingWith: null ? 0 : UInt8(ascii: "\n"))
            }
        }
        if code != 0 { throw ExitCode(code) }
        let faults = program.skippedLines + program.omittedParts
        guard strict, faults > 0 else { return }
        Console().message("alcedo: \(faults) unusable \(faults == 1 ? "line" : "lines")")
        throw ExitCode(3)
    }

    private func settings(
        _ lists: [String], title: String, _ environment: [String: String]
    ) async throws -> BrowserSettings {
        let contents = config.contents(environment)
        var settings = try await BrowserSettings(
            try configuration(contents.configuration), of: contents, environment: environment)
        settings.library.connection = try connection.settings(environment)
        settings.lists = lists
        settings.isFlat = recursive
        settings.base = try OptionText.base(base)
        settings.title = select ? "\(title)   q selects, ctrl-c cancels" : title
        // Only what is selected now is printed, so an earlier session must not be restored.
        if select { settings[.session] = false }
        return settings
    }

    /// Returns a configuration with the values of the options.
    private func configuration(_ file: Configuration) throws -> Configuration {
        var configuration = file
        try configuration.set(.theme, to: theme, of: "--theme")
        try configuration.set(.graphics, to: graphics, of: "--graphics")
        try configuration.set(.process, to: process, of: "--process")
        try configuration.set(.prefetches, to: prefetch, of: "--prefetch")
        try configuration.set(.prefetchesAll, to: prefetchAll, of: "--prefetch-all")
        try configuration.set(.session, to: session, of: "--session")
        try configuration.set(.hidden, to: hidden, of: "--hidden")
        try configuration.set(.transitions, to: transitions, of: "--transitions")
        try configuration.set(.transition, to: transition, of: "--transition")
        try configuration.set(.indicator, to: indicator, of: "--indicator")
        try configuration.set(.placeholder, to: placeholder, of: "--placeholder")
        try configuration.set(.failure, to: failure, of: "--failure")
        try configuration.set(.ascii, to: ascii, of: "--ascii")
        try transfers.write(to: &configuration)
        try limits.write(to: &configuration)
        try connection.write(to: &configuration)
        try retry.write(to: &configuration)
        return configuration
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
