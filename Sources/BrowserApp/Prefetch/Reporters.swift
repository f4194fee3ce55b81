import Foundation

/// Chooses the reporter of a prefetch.
enum Reporters {
    static func reporter(for settings: PrefetchSettings, console: Console) -> any PrefetchReporter {
        if settings.printsJSON { return JSONReporter(console: console) }
        // A dry run prints addresses line by line, between which no progress block may be drawn.
        switch settings.isDryRun && settings.progress != .never ? .plain : settings.progress {
        case .never: return PlainReporter(console: console, settings: settings, isQuiet: true)
        case .plain: return PlainReporter(console: console, settings: settings, isQuiet: settings.isQuiet)
        case .always: return ScreenReporter(console: console, settings: settings)
        case .auto:
            let canMove = console.errorIsTerminal && settings.library.environment["TERM"] ?? "dumb" != "dumb"
            return canMove && !settings.isQuiet
                ? ScreenReporter(console: console, settings: settings)
                : PlainReporter(console: console, settings: settings, isQuiet: settings.isQuiet)
        }
    }
}
