import Foundation
import Terminal

/// Where themes come from: those of ours, and the files of the user's folder `themes`.
public struct ThemeFolder: Sendable {
    private static let suffix = ".toml"
    /// nil when there is no place for it.
    public let path: String?

    /// `themes` beside the config file's standard place.
    public init(environment: [String: String]) {
        path = ConfigurationFile.folder(environment: environment).map { $0 + "/themes" }
    }

    /// The names of the themes of ours, then those of the files.
    public var names: [String] {
        let files = path.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        let own = files.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
        return Self.builtIn + own.sorted().filter { !Self.builtIn.contains($0) }
    }

    /// The names of the themes of ours.
    public static var builtIn: [String] { ThemeChoice.named.map(\.name) }

    /// The theme with a name: one of ours, a path with a slash or the ending `.toml`, or a file of the folder.
    ///
    /// Throws `ThemeProblem` that says what is wrong with it, and where.
    public func theme(_ name: String) throws(ThemeProblem) -> ThemeChoice {
        if let own = ThemeChoice.named.first(where: { $0.name == name }) { return own.choice }
        if name.contains("/") || name.hasSuffix(Self.suffix) {
            return try read(name) { "the theme \(name) \($0)" }
        }
        guard let path else { throw ThemeProblem(unknown(name)) }
        return try read("\(path)/\(name)\(Self.suffix)") { _ in unknown(name) }
    }

    private func read(_ path: String, missing: (String) -> String) throws(ThemeProblem) -> ThemeChoice {
        let text: String
        do throws(SmallTextFile.Problem) { text = try SmallTextFile(path: path).text() } catch {
            switch error {
            case .missing(let reason): throw ThemeProblem(missing(reason))
            case .unusable(let reason): throw ThemeProblem("the theme \(path) \(reason)")
            case .faulty(let fault): throw ThemeProblem([fault], of: path)
            }
        }
        do throws(ConfigurationFaults) { return try ThemeReader.read(text) } catch {
            throw ThemeProblem(error.faults, of: path)
        }
    }

    private func unknown(_ name: String) -> String {
        let hint = NearestName.hint(for: name, among: names)
        return "there is no theme '\(name)'\(hint)" + (path.map { "; files of your own belong in \($0)" } ?? "")
    }
}

/// Why there is no such theme.
public struct ThemeProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// A line for each thing wrong, in a file as `FILE:LINE:COLUMN: what is wrong`.
    public let lines: [String]
    /// The first of them, with the file's name alone.
    public let description: String

    /// Whether there is a file, and something wrong in it.
    let isOfItsFile: Bool

    init(_ text: String) { (lines, description, isOfItsFile) = ([text], text, false) }

    init(_ faults: [ConfigurationFault], of path: String) {
        lines = faults.map { $0.line(in: path) }
        description = faults.first?.line(in: URL(filePath: path).lastPathComponent) ?? ""
        isOfItsFile = true
    }
}
