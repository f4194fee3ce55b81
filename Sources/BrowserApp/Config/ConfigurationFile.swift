/// The place of the config file, and what is read from there.
public struct ConfigurationFile: Sendable, Equatable {
    public let path: String
    /// Whether it may be missing: the standard one may, one that was asked for may not.
    public let isOptional: Bool

    public init(path: String, isOptional: Bool = false) {
        self.path = path
        self.isOptional = isOptional
    }

    /// `$ALCEDO_CONFIG`, else `config.toml` in our folder; nil when there is no place.
    public static func standard(environment: [String: String]) -> ConfigurationFile? {
        if let own = environment["ALCEDO_CONFIG"], !own.isEmpty { return ConfigurationFile(path: own) }
        return folder(environment: environment).map {
            ConfigurationFile(path: $0 + "/config.toml", isOptional: true)
        }
    }

    /// `$XDG_CONFIG_HOME/alcedo`, else `~/.config/alcedo`.
    ///
    /// A relative `XDG_CONFIG_HOME` or `HOME` is ignored; nil when there is no place.
    static func folder(environment: [String: String]) -> String? {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/alcedo" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/alcedo"
    }

    /// Reads and checks the file; nil when there is none and none was asked for.
    public func read() throws(ConfigurationProblem) -> Configuration? {
        guard let text = try text() else { return nil }
        do throws(ConfigurationFaults) {
            return try ConfigurationReader.read(text)
        } catch {
            throw .faulty(path: path, error.faults)
        }
    }

    /// Where a value stands; nil where there is no file to be read.
    func position(ofValue path: [String]) -> KeyPositions.Position? {
        (try? text()).map { KeyPositions($0).value(of: path) }
    }

    private func text() throws(ConfigurationProblem) -> String? {
        do throws(SmallTextFile.Problem) {
            return try SmallTextFile(path: path).text()
        } catch {
            switch error {
            case .missing where isOptional: return nil
            case .missing(let reason), .unusable(let reason): throw .unusable(path: path, reason: reason)
            case .faulty(let fault): throw .faulty(path: path, [fault])
            }
        }
    }
}
