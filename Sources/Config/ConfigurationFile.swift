import AlcedoBrowserCore
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading

/// The location of the config file.
package struct ConfigurationFile: Sendable, Equatable {
    package let path: String
    /// Whether the file may be missing; the standard one may, one that was named explicitly may not.
    package let isOptional: Bool

    package init(path: String, isOptional: Bool = false) { (self.path, self.isOptional) = (path, isOptional) }

    /// Returns `$ALCEDO_CONFIG`, else `config.toml` in the standard folder; nil without a home folder.
    package static func standard(environment: [String: String]) -> ConfigurationFile? {
        if let own = environment["ALCEDO_CONFIG"], !own.isEmpty { return ConfigurationFile(path: own) }
        return UserFolder.configuration(environment).map {
            ConfigurationFile(path: $0 + "/config.toml", isOptional: true)
        }
    }

    /// Reads and checks the file; returns nil if an optional file does not exist.
    package func read() throws(ConfigurationProblem) -> Configuration? {
        let contents = ConfigurationContents(self)
        guard contents.faults.isEmpty else { throw ConfigurationProblem(contents.faults) }
        return contents.exists ? contents.configuration : nil
    }
}

extension ConfigurationFile {
    private static let maximumBytes = 1 << 20

    /// Reads a UTF-8 file of at most 1 MiB at once; only regular files are accepted.
    static func text(of path: String) throws(TextFileProblem) -> String {
        let bytes = try bytes(of: path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let position = TOMLTable.Position.firstBadByte(of: bytes)
            throw TextFileProblem(
                isMissing: false,
                fault: ConfigurationFault("not UTF-8", file: path, line: position.line, column: position.column))
        }
        return text
    }

    private static func bytes(of path: String) throws(TextFileProblem) -> [UInt8] {
        func problem(_ reason: String, isMissing: Bool = false) -> TextFileProblem {
            TextFileProblem(isMissing: isMissing, fault: ConfigurationFault(reason, file: path))
        }
        do throws(RegularFile.Problem) { return Array(try RegularFile.read(path, limit: maximumBytes)) } catch {
            switch error {
            case .system("open", let code):
                let reason = "cannot be opened: \(String(cString: strerror(code)))"
                throw problem(reason, isMissing: code == ENOENT || code == ENOTDIR)
            case .notRegular, .folder: throw problem("is not a plain file")
            case .tooLarge: throw problem("is larger than 1 MiB")
            case .system, .noScheme, .changedWhileReading, .stopped: throw problem("cannot be read: \(error)")
            }
        }
    }
}

/// The reason why a config file or a theme file cannot be read.
struct TextFileProblem: Error {
    let isMissing: Bool
    let fault: ConfigurationFault
}

/// The contents of the config file.
///
/// Command-line options overwrite its values, so that one value passes all settings to the programs.
package struct Configuration: Sendable, Equatable {
    /// The valid values by path, such as `cache.max-size`.
    var values: [String: ConfigurationValue] = [:]
    package var keys = KeyConfiguration()

    package init() {}

    /// The configured value of a setting, else its default.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        get { values[setting.path].flatMap { try? setting.kind.read($0) } ?? setting.standard }
        set { values[setting.path] = setting.kind.write(newValue) }
    }

    /// Sets a setting by its path and a text: a number, true or false, or other text.
    mutating func set(_ path: String, to text: String) throws(SettingProblem) {
        let names = path.split(separator: ".", maxSplits: 1).map(String.init)
        let section = ConfigurationSection.all.first { $0.name == names.first }
        guard names.count == 2, let setting = section?.setting(names[1]) else {
            throw SettingProblem("\(path) is no setting")
        }
        let value: ConfigurationValue = Int(text).map { .number($0) } ?? Bool(text).map { .flag($0) } ?? .text(text)
        do throws(SettingProblem) { try setting.read(value, into: &self) } catch {
            throw SettingProblem("\(path) \(error)")
        }
    }
}

/// The reason why a command ends: its config file or a theme has faults.
package struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    package let faults: [ConfigurationFault]
    /// Whether it concerns a theme that an option names, and not the config file.
    package let isOfTheme: Bool

    package init(_ faults: [ConfigurationFault], isOfTheme: Bool = false) {
        (self.faults, self.isOfTheme) = (faults, isOfTheme)
    }

    /// One line for each fault.
    package var lines: [String] { faults.map(\.description) }
    /// The first line.
    package var description: String { lines.first ?? "" }
}
