import Foundation

/// Chooses how a prefetch is shown.
enum Reporters {
    static func reporter(for settings: PrefetchSettings, console: Console) -> any PrefetchReporter {
        if settings.printsJSON { return JSONReporter(console: console) }
        // What would be fetched goes out line by line, which no block of lines may stand between.
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
