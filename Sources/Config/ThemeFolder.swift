import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import FoundationEssentials

/// The available themes: the built-in ones and the files in the user's folder `themes`.
package struct ThemeFolder: Sendable {
    private static let suffix = ".toml"
    /// Nil if there is no home folder.
    package let path: String?

    /// Uses the folder `themes` beside the standard config file.
    package init(environment: [String: String]) {
        path = UserFolder.configuration(environment).map { $0 + "/themes" }
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
    /// - Throws: All its faults.
    package func theme(_ name: String) throws(ConfigurationProblem) -> ThemeChoice {
        let (theme, faults) = try contents(of: name)
        guard faults.isEmpty else { throw ConfigurationProblem(faults, isOfTheme: true) }
        return theme
    }

    /// Returns the theme with a name without its faulty lines.
    ///
    /// - Throws: The reason why it cannot be read.
    func contents(of name: String) throws(ConfigurationProblem) -> (ThemeChoice, [ConfigurationFault]) {
        if let own = ThemeChoice.named.first(where: { $0.name == name }) { return (own.choice, []) }
        if name.contains("/") || name.hasSuffix(Self.suffix) { return try read(name) }
        guard let path else { throw unknown(name) }
        return try read("\(path)/\(name)\(Self.suffix)", named: name)
    }

    /// Reads a theme file; if one in the folder is missing, its name is unknown.
    private func read(
        _ path: String, named name: String? = nil
    ) throws(ConfigurationProblem) -> (ThemeChoice, [ConfigurationFault]) {
        do throws(TextFileProblem) {
            return ThemeReader.read(try ConfigurationFile.text(of: path), of: path)
        } catch {
            if error.isMissing, let name { throw unknown(name) }
            var fault = error.fault
            if fault.line == nil { fault.text = "the theme \(fault.text)" }
            throw ConfigurationProblem([fault], isOfTheme: true)
        }
    }

    private func unknown(_ name: String) -> ConfigurationProblem {
        let nearest = NearestName.hint(for: name, among: names)
        let places = path.map { "; your own belong in \($0)" } ?? ""
        let hint = nearest.isEmpty ? "; alcedo config --default names the themes\(places)" : nearest
        let fault = ConfigurationFault("there is no theme '\(name)'\(hint)", file: "")
        return ConfigurationProblem([fault], isOfTheme: true)
    }
}

/// Reads a theme file: `base`, the name of a built-in theme, and colours for some roles.
enum ThemeReader {
    private static let example = "a colour such as \"#5fd7d7\", a number from 0 to 255, a name such as red or default"

    /// Returns the theme of a text, and its faults, whose lines it leaves out.
    static func read(_ text: String, of path: String = "") -> (ThemeChoice, [ConfigurationFault]) {
        let toml = TOMLText(text, kind: "theme")
        var list = FaultList(text, of: path)
        for failure in toml.failures { list.add(failure.text, at: failure.position) }
        var base = ThemeChoice.auto
        var colors: [ThemeToken: ThemeColor] = [:]
        for entry in toml.table.entries {
            let (key, value, place) = (entry.name, ConfigurationValue(entry.node), entry.value)
            if let token = ThemeToken(rawValue: key) {
                colors[token] = color(value)
                if colors[token] == nil { list.add(fault(of: token, value), at: place) }
            } else if key != "base" {
                list.add(unknown(key), at: entry.key)
            } else if let known = choice(value) {
                base = known
            } else {
                list.add(fault(ofBase: value), at: place)
            }
        }
        return (base.with(colors), list.sorted)
    }

    private static func color(_ value: ConfigurationValue) -> ThemeColor? {
        switch value {
        case .number(let number): UInt8(exactly: number).map(ThemeColor.init(number:))
        case .text(let text): ThemeColor(text)
        case .flag, .texts, .other: nil
        }
    }

    private static func choice(_ value: ConfigurationValue) -> ThemeChoice? {
        guard case .text(let name) = value else { return nil }
        return ThemeChoice.named.first { $0.name == name }?.choice
    }

    private static func fault(of token: ThemeToken, _ value: ConfigurationValue) -> String {
        "\(token.rawValue) takes \(example), not \(value.quoted)" + hint(value, ThemeColor.names + ["default"])
    }

    private static func fault(ofBase value: ConfigurationValue) -> String {
        let names = ThemeChoice.named.map(\.name)
        return "base takes \(names.joined(separator: ", ")), not \(value.quoted)" + hint(value, names)
    }

    private static func hint(_ value: ConfigurationValue, _ names: [String]) -> String {
        if case .text(let text) = value { NearestName.hint(for: text, among: names) } else { "" }
    }

    private static func unknown(_ key: String) -> String {
        "there is no role '\(key)'" + NearestName.hint(for: key, among: ThemeToken.allCases.map(\.rawValue) + ["base"])
    }
}
