import Foundation
import Terminal

/// The available themes: the built-in ones and the files in the user's folder `themes`.
package struct ThemeFolder: Sendable {
    private static let suffix = ".toml"
    /// Nil if there is no home folder.
    package let path: String?

    /// Uses the folder `themes` beside the standard config file.
    package init(environment: [String: String]) {
        path = ConfigurationFile.folder(environment: environment).map { $0 + "/themes" }
    }

    /// The names of the built-in themes, then those of the files.
    package var names: [String] {
        let files = path.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        let own = files.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
        return Self.builtIn + own.sorted().filter { !Self.builtIn.contains($0) }
    }

    /// The names of the built-in themes.
    package static var builtIn: [String] { ThemeChoice.named.map(\.name) }

    /// Returns the theme with a name: a built-in one, a file given by a path or the extension `.toml`, or a file in the
    /// folder.
    ///
    /// - Throws: `ConfigurationProblem` with the reason and the position.
    package func theme(_ name: String) throws(ConfigurationProblem) -> ThemeChoice {
        if let own = ThemeChoice.named.first(where: { $0.name == name }) { return own.choice }
        if name.contains("/") || name.hasSuffix(Self.suffix) {
            return try read(name) { "the theme \(name) \($0)" }
        }
        guard let path else { throw ConfigurationProblem(theme: unknown(name)) }
        return try read("\(path)/\(name)\(Self.suffix)") { _ in unknown(name) }
    }

    private func read(_ path: String, missing: (String) -> String) throws(ConfigurationProblem) -> ThemeChoice {
        let text: String
        do throws(SmallTextFile.Problem) { text = try SmallTextFile(path: path).text() } catch {
            switch error {
            case .missing(let reason): throw ConfigurationProblem(theme: missing(reason))
            case .unusable(let reason): throw ConfigurationProblem(theme: "the theme \(path) \(reason)")
            case .faulty(let fault): throw ConfigurationProblem([fault], of: path, isOfTheme: true)
            }
        }
        do throws(ConfigurationFaults) { return try ThemeReader.read(text) } catch {
            throw ConfigurationProblem(error.faults, of: path, isOfTheme: true)
        }
    }

    private func unknown(_ name: String) -> String {
        let hint = NearestName.hint(for: name, among: names)
        return "there is no theme '\(name)'\(hint)" + (path.map { "; files of your own belong in \($0)" } ?? "")
    }
}
