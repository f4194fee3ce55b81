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
        if case .faulty(_, let list) = found { faults = list } else { faults = [] }
        switch found {
        case .unusable(_, let text): reason = text
        case .theme(let problem): reason = problem.lines.first
        case .faulty, nil: reason = nil
        }
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
        do throws(ThemeProblem) { _ = try theme(configuration[.theme]) } catch {
            guard !error.isInFile, Setting<String>.theme.value(setIn: configuration) != nil,
                let position = file.position(ofValue: ["browser", "theme"])
            else { throw .theme(error) }
            throw .faulty(path: file.path, [ConfigurationFault(error.description, at: position)])
        }
    }
}
