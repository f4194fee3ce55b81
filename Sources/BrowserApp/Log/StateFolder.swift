/// Where programs keep what they must remember from run to run: the XDG Base Directory Specification's state home.
enum StateFolder {
    /// Failures and notices of browsers.
    static func log(environment: [String: String]) -> String? {
        path(environment: environment).map { $0 + "/alcedo.log" }
    }

    /// The folder of what unfinished prefetches have done.
    static func journals(environment: [String: String]) -> String? {
        path(environment: environment).map { $0 + "/prefetch" }
    }

    /// `$XDG_STATE_HOME/alcedo`, else `~/.local/state/alcedo`; nil without either, and relative paths are ignored.
    private static func path(environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/alcedo" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/alcedo"
    }
}
