import AlcedoSupport
import FoundationEssentials

/// The user's folders of the XDG Base Directory Specification.
package enum UserFolder {
    /// Returns a file or folder for state that survives a run: `alcedo.log`, `prefetch` for journals, `sessions`.
    package static func state(_ name: String, _ environment: [String: String]) -> String? {
        path("XDG_STATE_HOME", ".local/state", environment).map { "\($0)/\(name)" }
    }

    static func configuration(_ environment: [String: String]) -> String? {
        path("XDG_CONFIG_HOME", ".config", environment)
    }

    /// Returns the program's folder in the folder that a variable names, otherwise in the home folder; nil without
    /// either.
    ///
    /// Relative paths are ignored.
    private static func path(_ variable: String, _ standard: String, _ environment: [String: String]) -> String? {
        if let base = environment[variable], base.hasPrefix("/") { return base + "/alcedo" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(standard)/alcedo"
    }
}
