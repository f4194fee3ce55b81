/// The folder for state that survives a run, in the state home of the XDG Base Directory Specification.
enum StateFolder {
    /// Returns the path of the browser's log file.
    static func log(environment: [String: String]) -> String? {
        path(environment: environment).map { $0 + "/alcedo.log" }
    }

    /// Returns the folder of the journals of unfinished prefetches.
    static func journals(environment: [String: String]) -> String? {
        path(environment: environment).map { $0 + "/prefetch" }
    }

    /// Returns the folder of the browser's sessions.
    static func sessions(environment: [String: String]) -> String? {
        path(environment: environment).map { $0 + "/sessions" }
    }

    /// Returns `$XDG_STATE_HOME/alcedo`, else `~/.local/state/alcedo`, or nil without either; relative paths are
    /// ignored.
    private static func path(environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/alcedo" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/alcedo"
    }
}
