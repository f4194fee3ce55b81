/// The location of the config file.
package struct ConfigurationFile: Sendable, Equatable {
    package let path: String
    /// Whether the file may be missing; the standard one may, one that was named explicitly may not.
    package let isOptional: Bool

    package init(path: String, isOptional: Bool = false) {
        self.path = path
        self.isOptional = isOptional
    }

    /// Returns `$ALCEDO_CONFIG`, else `config.toml` in the standard folder; nil without a home folder.
    package static func standard(environment: [String: String]) -> ConfigurationFile? {
        if let own = environment["ALCEDO_CONFIG"], !own.isEmpty { return ConfigurationFile(path: own) }
        return folder(environment: environment).map {
            ConfigurationFile(path: $0 + "/config.toml", isOptional: true)
        }
    }

    /// Returns `$XDG_CONFIG_HOME/alcedo`, else `~/.config/alcedo`; nil without a home folder.
    ///
    /// A relative `XDG_CONFIG_HOME` or `HOME` is ignored.
    static func folder(environment: [String: String]) -> String? {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/alcedo" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/alcedo"
    }

    /// Reads and checks the file; returns nil if an optional file does not exist.
    package func read() throws(ConfigurationProblem) -> Configuration? {
        guard let text = try text() else { return nil }
        do throws(ConfigurationFaults) {
            return try ConfigurationReader.read(text)
        } catch {
            throw ConfigurationProblem(error.faults, of: path)
        }
    }

    /// Returns the position of a value; nil if the file cannot be read.
    func position(ofValue path: [String]) -> KeyPositions.Position? {
        (try? text()).map { KeyPositions($0).value(of: path) }
    }

    private func text() throws(ConfigurationProblem) -> String? {
        do throws(SmallTextFile.Problem) {
            return try SmallTextFile(path: path).text()
        } catch {
            switch error {
            case .missing where isOptional: return nil
            case .missing(let reason), .unusable(let reason): throw ConfigurationProblem(unusable: path, reason)
            case .faulty(let fault): throw ConfigurationProblem([fault], of: path)
            }
        }
    }
}
