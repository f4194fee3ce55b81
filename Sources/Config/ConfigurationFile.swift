import Foundation
import Glibc
import ImageLoading

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
        return UserFolder.configuration(environment).map {
            ConfigurationFile(path: $0 + "/config.toml", isOptional: true)
        }
    }

    /// Reads and checks the file; returns nil if an optional file does not exist.
    package func read() throws(ConfigurationProblem) -> Configuration? {
        do throws(TextFileProblem) {
            return try ConfigurationReader.read(try Self.text(of: path))
        } catch {
            if case .missing = error, isOptional { return nil }
            throw ConfigurationProblem(error, of: path)
        }
    }

    /// Returns the position of a value; nil if the file cannot be read.
    func position(ofValue value: [String]) -> TOMLTable.Position? {
        guard let text = try? Self.text(of: path), let toml = try? TOMLText(text, kind: "config file") else {
            return nil
        }
        return toml.table.position(ofValue: value)
    }
}

extension ConfigurationFile {
    private static let maximumBytes = 1 << 20

    /// Reads a UTF-8 file of at most 1 MiB at once; only regular files are accepted.
    static func text(of path: String) throws(TextFileProblem) -> String {
        let bytes = try bytes(of: path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .faulty([ConfigurationFault("not UTF-8", at: .firstBadByte(of: bytes))])
        }
        return text
    }

    private static func bytes(of path: String) throws(TextFileProblem) -> [UInt8] {
        do throws(RegularFile.Problem) { return Array(try RegularFile.read(path, limit: maximumBytes)) } catch {
            switch error {
            case .system("open", let code):
                let reason = "cannot be opened: \(String(cString: strerror(code)))"
                throw code == ENOENT || code == ENOTDIR ? .missing(reason) : .unusable(reason)
            case .notRegular, .folder: throw .unusable("is not a plain file")
            case .tooLarge: throw .unusable("is larger than 1 MiB")
            case .system, .noScheme, .changedWhileReading, .stopped: throw .unusable("cannot be read: \(error)")
            }
        }
    }
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

/// Reads a config file against the table of settings.
struct ConfigurationReader {
    /// Maximum number of reported faults.
    static let mostFaults = 20

    private var configuration = Configuration()
    private var list = FaultList()

    /// Reads TOML 1.0; every section and every setting is optional.
    ///
    /// - Throws: All faults; for invalid TOML only the syntax error.
    static func read(_ text: String) throws(TextFileProblem) -> Configuration {
        var reader = ConfigurationReader()
        for entry in try TOMLText(text, kind: "config file").table.entries { reader.readSection(entry) }
        try reader.list.check()
        return reader.configuration
    }

    private mutating func readSection(_ entry: TOMLTable.Entry) {
        guard !list.isFull else { return }
        guard let section = ConfigurationSection.all.first(where: { $0.name == entry.name }) else {
            let isTable = if case .table = entry.node { true } else { false }
            let text = isTable ? Self.unknownSection(entry.name) : Self.unknownSetting(entry.name, in: nil)
            return list.add(text, at: entry.key)
        }
        guard case .table(let table) = entry.node else {
            return list.add("[\(entry.name)] is a section; its settings go below it", at: entry.key)
        }
        for setting in table.entries { readSetting(setting, in: section) }
    }

    private mutating func readSetting(_ entry: TOMLTable.Entry, in section: ConfigurationSection) {
        guard !list.isFull else { return }
        guard let setting = section.setting(entry.name) else {
            return list.add(Self.unknownSetting(entry.name, in: section), at: entry.key)
        }
        do throws(SettingProblem) {
            try setting.read(ConfigurationValue(entry.node), into: &configuration)
        } catch {
            list.add("\(entry.name) \(error)", at: entry.value)
        }
    }

    private static func unknownSection(_ name: String) -> String {
        let known = ConfigurationSection.all.map(\.name)
        return "there is no section [\(name)]" + NearestName.hint(for: name, among: known)
    }

    private static func unknownSetting(_ name: String, in section: ConfigurationSection?) -> String {
        let text = "there is no setting '\(name)' " + (section.map { "in [\($0.name)]" } ?? "outside the sections")
        if let home = ConfigurationSection.all.first(where: { $0.setting(name) != nil }) {
            return text + "; it belongs in [\(home.name)]"
        }
        return text + NearestName.hint(for: name, among: section?.settings.map(\.name) ?? [])
    }
}

/// The reason why a config file or a theme cannot be used.
package struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line for each fault; a fault in a file has the form `FILE:LINE:COLUMN: what is wrong`.
    package let lines: [String]
    /// The first line, with the file's name instead of its path.
    package let description: String
    /// Whether it concerns a theme, and not the config file itself.
    package let isOfTheme: Bool
    /// The faults in the file, in the order of their lines; at most ``ConfigurationReader/mostFaults``.
    let faults: [ConfigurationFault]
    /// Why the theme or the config file cannot be used; nil if the config file has faults.
    let reason: String?

    /// Creates the problem of a theme.
    init(theme text: String) { self.init([text], text, isOfTheme: true, [], reason: text) }

    /// Creates the problem of a config file or a theme file.
    init(_ problem: TextFileProblem, of path: String, isOfTheme: Bool = false) {
        switch problem {
        case .missing(let reason), .unusable(let reason):
            let text = "the \(isOfTheme ? "theme" : "config file") \(path) \(reason)"
            self.init([text], text, isOfTheme: isOfTheme, [], reason: isOfTheme ? text : reason)
        case .faulty(let faults):
            let isAll = faults.count < ConfigurationReader.mostFaults
            let lines = faults.map { $0.line(in: path) } + (isAll ? [] : ["\(path): further faults are not shown"])
            self.init(
                lines, faults.first?.line(in: URL(filePath: path).lastPathComponent) ?? "", isOfTheme: isOfTheme,
                faults, reason: isOfTheme ? lines.first : nil)
        }
    }

    private init(
        _ lines: [String], _ description: String, isOfTheme: Bool, _ faults: [ConfigurationFault], reason: String?
    ) {
        (self.lines, self.description, self.isOfTheme) = (lines, description, isOfTheme)
        (self.faults, self.reason) = (faults, reason)
    }
}

/// One fault in a config file.
package struct ConfigurationFault: Sendable, Equatable, Encodable {
    /// Line and column from 1; columns count Unicode scalars.
    package let line, column: Int
    /// The value found and the value expected.
    package let text: String

    init(_ text: String, at position: TOMLTable.Position) {
        (line, column) = (position.line, position.column)
        self.text = text
    }

    /// Returns the fault as `FILE:LINE:COLUMN: what is wrong`.
    func line(in path: String) -> String { "\(path):\(line):\(column): \(text)" }
}

/// The reason why a config file or a theme file cannot be used.
enum TextFileProblem: Error, Equatable {
    /// The file does not exist; the text is the system's message.
    case missing(String)
    /// The file cannot be read; the text says why.
    case unusable(String)
    /// Its text has faults.
    case faulty([ConfigurationFault])

    /// The faults of the text; empty if the file cannot be read.
    var faults: [ConfigurationFault] {
        if case .faulty(let faults) = self { faults } else { [] }
    }
}
