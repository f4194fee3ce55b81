import AlcedoTerminal
import FoundationEssentials

extension Configuration {
    /// Returns whether only ASCII may be drawn: by setting, by locale, or on the Linux console, whose fonts lack most
    /// symbols.
    package func isASCII(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        self[.ascii] || !Self.isUnicode(environment) || TerminalEnvironment(environment).isLinuxConsole
    }

    private static func isUnicode(_ environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let upper = locale.uppercased()
        return upper.contains("UTF-8") || upper.contains("UTF8")
    }
}
