import AlcedoBrowserCore
import AlcedoTerminal

@testable import AlcedoConfig

extension Configuration {
    /// Reads a config file that must have no faults.
    static func read(_ text: String) throws(ConfigurationProblem) -> Configuration {
        let contents = ConfigurationContents(text: text)
        guard contents.faults.isEmpty else { throw ConfigurationProblem(contents.faults) }
        return contents.configuration
    }

    /// What is wrong with a config file, each as `LINE:COLUMN: text`.
    static func faults(_ text: String) -> [String] { ConfigurationContents(text: text).faults.map(\.description) }
}

extension ThemeChoice {
    /// Reads a theme that must have no faults.
    static func read(_ text: String) throws(ConfigurationProblem) -> ThemeChoice {
        let (theme, faults) = ThemeReader.read(text)
        guard faults.isEmpty else { throw ConfigurationProblem(faults) }
        return theme
    }
}
