import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoTerminal
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

/// The settings of the browser.
public struct BrowserSettings: Sendable {
    /// List files, folders, pictures, URLs, or `-`.
    public var lists: [String] = []
    /// Whether the pictures of a folder's subfolders are listed from the start; they are always with several sources.
    package var isFlat = false
    /// Whether the first two pictures are compared as soon as they are listed.
    package var compares = false
    /// The base of relative locations in the lists; nil, the default, means each list's own folder.
    package var base: ListBase?
    /// The title in the top line.
    public var title = ""
    /// Whether frames and signs are ASCII; false by default.
    public var isASCII = false
    /// The display options; by default, pictures that were not cached fade in for 200 ms.
    public var display = ImageOptions([.transition(.fade(0.2)), .loadDiskFileSynchronously]).display
    /// The placeholder of a loading picture; nil, the default, means a card with name and location.
    public var placeholder: (any Placeholder)?
    var effectivePlaceholder: any Placeholder { placeholder ?? BlankPlaceholder() }
    /// The indicator of a slow load; a bar by default.
    public var indicator = BrowserIndicator.bar
    /// Applied between source and preview; none by default.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// The settings of the library.
    public var library = LibrarySettings()
    /// Follows the terminal's background by default.
    var theme = ThemeChoice.auto
    /// The faulty settings of the config file, its theme and the environment, which are not used.
    var faults: [ConfigurationFault] = []
    var cell: CellSize?

    /// Creates settings that leave no traces: no log, and no marks for the next time.
    public init() {
        self[.session] = false
        self[.log] = false
    }

    /// The value of a setting of the config file.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        get { library[setting] }
        set { library[setting] = newValue }
    }

    /// Sets a setting of the config file; see ``LibrarySettings/set(_:to:)``.
    public mutating func set(_ path: String, to text: String) throws(SettingProblem) { try library.set(path, to: text) }

    /// The log file for failures and notices; nil for none.
    var logPath: String? { self[.log] ? UserFolder.state("alcedo.log", environment) : nil }

    /// Returns the names of the changed settings that take effect only after a restart.
    func needingRestart(since old: BrowserSettings) -> [String] {
        func areChanged(_ settings: [any AnySetting]) -> Bool {
            settings.contains { $0.value(in: library.configuration) != $0.value(in: old.library.configuration) }
        }
        let sections = [ConfigurationSection.transfers, .cache, .retrying]
        return [
            ("mouse", areChanged([Setting<Bool>.mouse])), ("graphics", areChanged([Setting<GraphicsMethod>.graphics])),
            ("hidden", areChanged([Setting<Bool>.hidden])), ("log", areChanged([Setting<Bool>.log])),
            ("transfers, cache and retrying", areChanged(sections.flatMap(\.settings))),
        ].compactMap { $1 ? $0 : nil }
    }

    /// The environment variables; those of the process by default.
    public var environment: [String: String] {
        get { library.environment }
        set { library.environment = newValue }
    }
}

extension BrowserSettings {
    /// Creates the settings from a configuration and the environment.
    ///
    /// `contents` is the file that the configuration is from: what is wrong in it has its default and becomes a fault.
    /// - Throws: For a value that is not from the file, `ConfigurationProblem` for an unusable theme, `ProgramProblem` for
    ///   an unusable picture file.
    package init(
        _ configuration: Configuration, of contents: ConfigurationContents = ConfigurationContents(),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        self.init()
        var contents = contents
        library = LibrarySettings(configuration, environment: contents.usable(environment))
        library.allowsDamage = true
        isASCII = configuration.isASCII(environment: environment)
        processor = try ProcessorGrammar.parse(self[.process])
        theme = try contents.theme(of: configuration, in: ThemeFolder(environment: environment))
        display.transition = ImageTransition(self[.transition], duration: self[.transitionTime])
        try await use(.indicator, of: &contents) { settings, name throws(ProgramProblem) in
            try await settings.setIndicator(name)
        }
        try await use(.placeholder, of: &contents) { settings, name throws(ProgramProblem) in
            try await settings.setPlaceholder(name)
        }
        try await use(.failure, of: &contents) { settings, name throws(ProgramProblem) in
            try await settings.setFailure(name)
        }
        faults = contents.faults
    }

    /// Applies the value of a setting, or its default if the config file has one that cannot be used.
    private mutating func use(
        _ setting: Setting<String>, of contents: inout ConfigurationContents,
        _ apply: (inout BrowserSettings, String) async throws(ProgramProblem) -> Void
    ) async throws(ProgramProblem) {
        do throws(ProgramProblem) { try await apply(&self, self[setting]) } catch {
            let configuration = library.configuration
            guard contents.reject(setting, in: configuration, "\(setting.name): \(error)") else { throw error }
            self[setting] = setting.standard
        }
    }
}
