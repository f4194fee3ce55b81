/// The result of checking the config file.
package struct ConfigurationReport: Sendable, Encodable {
    package let path: String
    package let ok: Bool
    /// Without a file, the defaults apply.
    package let exists: Bool
    /// The faults in the file, with line and column.
    package let faults: [ConfigurationFault]
    /// Why the file or its theme cannot be used at all; nil if it can.
    package let reason: String?
    package let problem: ConfigurationProblem?

    /// Reads the file and, if `themes` is given, the configured theme.
    package init(_ file: ConfigurationFile, themes: ThemeFolder? = nil) {
        path = file.path
        var isPresent = true
        var found: ConfigurationProblem?
        do throws(ConfigurationProblem) {
            let configuration = try file.read()
            isPresent = configuration != nil
            try themes?.check(configuration ?? Configuration(), of: file)
        } catch {
            found = error
        }
        exists = isPresent
        problem = found
        ok = found == nil
        faults = found.map { $0.isOfTheme ? [] : $0.faults } ?? []
        reason = found?.reason
    }

    /// The path, then the result.
    package var lines: [String] {
        [path] + (problem?.lines ?? [exists ? "ok" : "ok, there is no file; the defaults apply"])
    }

    private enum CodingKeys: String, CodingKey {
        case path, ok, exists, faults, reason
    }
}

extension ThemeFolder {
    /// Throws if the configured theme cannot be used; an unknown name is a fault of the config file.
    fileprivate func check(
        _ configuration: Configuration, of file: ConfigurationFile
    ) throws(ConfigurationProblem) {
        do throws(ConfigurationProblem) { _ = try theme(configuration[.theme]) } catch {
            guard error.faults.isEmpty, Setting<String>.theme.value(setIn: configuration) != nil,
                let position = file.position(ofValue: ["browser", "theme"])
            else { throw error }
            throw ConfigurationProblem([ConfigurationFault(error.description, at: position)], of: file.path)
        }
    }
}
