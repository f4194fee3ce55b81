import Foundation

/// The reason why a config file or a theme cannot be used.
package struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line for each fault; in a file as `FILE:LINE:COLUMN: what is wrong`.
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

    /// Creates the problem of a config file that cannot be read.
    init(unusable path: String, _ reason: String) {
        let text = "the config file \(path) \(reason)"
        self.init([text], text, isOfTheme: false, [], reason: reason)
    }

    /// Creates the problem of a file with faults.
    init(_ faults: [ConfigurationFault], of path: String, isOfTheme: Bool = false) {
        let isAll = faults.count < ConfigurationReader.mostFaults
        let lines = faults.map { $0.line(in: path) } + (isAll ? [] : ["\(path): further faults are not shown"])
        self.init(
            lines, faults.first?.line(in: URL(filePath: path).lastPathComponent) ?? "", isOfTheme: isOfTheme, faults,
            reason: isOfTheme ? lines.first : nil)
    }

    private init(
        _ lines: [String], _ description: String, isOfTheme: Bool, _ faults: [ConfigurationFault], reason: String?
    ) {
        (self.lines, self.description, self.isOfTheme) = (lines, description, isOfTheme)
        (self.faults, self.reason) = (faults, reason)
    }
}

/// One fault in a config file.
package struct ConfigurationFault: Error, Sendable, Equatable, Encodable {
    /// Line and column from 1; columns count Unicode scalars.
    package let line, column: Int
    /// The value found and the value expected.
    package let text: String

    init(_ text: String, at position: KeyPositions.Position) {
        (line, column) = (position.line, position.column)
        self.text = text
    }

    /// Returns the fault as `FILE:LINE:COLUMN: what is wrong`.
    func line(in path: String) -> String { "\(path):\(line):\(column): \(text)" }
}

/// The faults in one text.
package struct ConfigurationFaults: Error, Sendable, Equatable {
    package let faults: [ConfigurationFault]
}
