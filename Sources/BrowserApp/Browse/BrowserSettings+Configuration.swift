import Foundation
import ImageLoading
import Terminal

extension BrowserSettings {
    /// Creates the settings from a configuration and the environment.
    ///
    ///
    /// - Throws: `ThemeProblem`, or `ProgramProblem` for an unusable picture file.
    package init(
        _ configuration: Configuration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        self.init()
        library = LibrarySettings(configuration, environment: environment)
        isASCII = Self.isASCII(configuration, environment: environment)
        prefetches = configuration[.prefetches]
        hasTransitions = configuration[.transitions]
        processorText = configuration[.process]
        processor = try ProcessorGrammar.parse(processorText)
        theme = try ThemeFolder(environment: environment).theme(configuration[.theme])
        keyMap = configuration.keys.map
        hasMouse = configuration[.mouse]
        opener = configuration[.opener]
        logPath = configuration[.log] ? StateFolder.log(environment: environment) : nil
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
