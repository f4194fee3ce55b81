/// Where programs keep what they must remember from run to run: the XDG Base Directory Specification's state home.
enum StateFolder {
    /// `$XDG_STATE_HOME/alcedo`, else `~/.local/state/alcedo`; nil without either, and relative paths are ignored.
    static func path(environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/alcedo" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/alcedo"
    }
}
