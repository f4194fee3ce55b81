import AlcedoBrowserCore
import AlcedoLists
import AlcedoTerminal
import Foundation
import ImageLoading
import Raster
import TerminalGraphics

/// The settings of the browser.
public struct BrowserSettings: Sendable {
    /// List files, folders, pictures, URLs, or `-`.
    public var lists: [String] = []
    /// The base of relative locations in the lists; nil, the default, means each list's own folder.
    package var base: ListBase?
    /// The title in the top line.
    public var title = ""
    public var isASCII = false
    /// Whether the mouse is used; on by default.
    ///
    /// Terminals then select text only while Shift is held.
    public var hasMouse = true
    /// The key bindings.
    package var keyMap = KeyMap.standard
    /// The program that opens pictures; `xdg-open` by default.
    package var opener = "xdg-open"
    /// Prefetches the rest of the list; on by default.
    public var prefetches = true
    /// Whether marks, position and filter of a list are kept for the next time; off by default.
    package var keepsSession = false
    /// Whether new pictures appear with a transition; on by default.
    public var hasTransitions = true
    /// How long a picture is shown in a slideshow; 5 s by default, at least 100 ms.
    public var slideTime = Duration.seconds(5)
    /// The display options; by default, pictures that were not cached fade in for 200 ms.
    public var display = ImageOptions([.transition(.fade(0.2)), .loadDiskFileSynchronously]).display
    /// The placeholder of a loading picture; nil, the default, means a card with name and location.
    public var placeholder: (any Placeholder)?
    var effectivePlaceholder: any Placeholder { placeholder ?? BlankPlaceholder() }
    /// The indicator of a slow load; a bar by default.
    public var indicator = BrowserIndicator.bar
    /// Applied between source and preview; none by default.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// The text of the processor chain.
    package var processorText = ""
    /// The log file for failures and notices; nil, the default, means none.
    package var logPath: String?
    public var library = LibrarySettings()
    /// Follows the terminal's background by default.
    var theme = ThemeChoice.auto
    /// The graphics method; nil means the detected one.
    var graphics: GraphicsMethod?
    /// The set of block characters; nil means the one that the terminal is known to draw.
    var blockSet: BlockSet?
    var cell: CellSize?

    public init() {}

    /// Returns the names of the changed settings that take effect only after a restart.
    func needingRestart(since old: BrowserSettings) -> [String] {
        let changes = [
            ("mouse", old.hasMouse != hasMouse), ("graphics", old.graphics != graphics || old.blockSet != blockSet),
            ("log", old.logPath != logPath), ("transfers, cache and retrying", library != old.library),
        ]
        return changes.compactMap { $1 ? $0 : nil }
    }

    public var environment: [String: String] {
        get { library.environment }
        set { library.environment = newValue }
    }

    /// The names that ``setGraphics(_:)`` accepts; `sextants` are blocks of six pixels in a cell.
    package static let graphicsNames =
        ["auto"] + GraphicsMethod.allCases.filter { $0 != .none }.map(\.rawValue) + ["sextants"]

    /// Sets the graphics method by its name; returns false for an unknown name.
    package mutating func setGraphics(_ name: String) -> Bool {
        blockSet = name == "sextants" ? .sextant : nil
        graphics = name == "sextants" ? .blocks : GraphicsMethod(rawValue: name)
        return Self.graphicsNames.contains(name)
    }
}

extension BrowserSettings {
    /// Creates the settings from a configuration and the environment.
    ///
    /// - Throws: `ConfigurationProblem`, or `ProgramProblem` for an unusable picture file.
    package init(
        _ configuration: Configuration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        self.init()
        library = LibrarySettings(configuration, environment: environment)
        library.decode.allowsDamage = true
        isASCII = Self.isASCII(configuration, environment: environment)
        prefetches = configuration[.prefetches]
        keepsSession = configuration[.session]
        hasTransitions = configuration[.transitions]
        processorText = configuration[.process]
        processor = try ProcessorGrammar.parse(processorText)
        theme = try ThemeFolder(environment: environment).theme(configuration[.theme])
        keyMap = configuration.keys.map
        hasMouse = configuration[.mouse]
        opener = configuration[.opener]
        logPath = configuration[.log] ? UserFolder.state("alcedo.log", environment) : nil
        _ = setGraphics(configuration[.graphics])
        slideTime = configuration[.slideTime]
        display.transition = ImageTransition(
            configuration[.transition].effect, duration: configuration[.transitionTime])
        try await setIndicator(configuration[.indicator])
        try await setPlaceholder(configuration[.placeholder])
        try await setFailure(configuration[.failure])
    }

    /// Returns whether only ASCII may be drawn: by setting, by locale, or on the Linux console, whose fonts lack most
    /// symbols.
    package static func isASCII(
        _ configuration: Configuration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        configuration[.ascii] || !isUnicode(environment) || TerminalEnvironment(environment).isLinuxConsole
    }

    private static func isUnicode(_ environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let upper = locale.uppercased()
        return upper.contains("UTF-8") || upper.contains("UTF8")
    }
}
