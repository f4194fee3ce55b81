import Foundation

/// The reason why a config file cannot be used.
package enum ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unusable(path: String, reason: String)
    /// The configured theme cannot be used.
    case theme(ThemeProblem)
    /// The faults in the file, in the order of their lines; at most ``ConfigurationReader/mostFaults``.
    case faulty(path: String, [ConfigurationFault])

    /// The first line, with the file's name instead of its path.
    package var description: String {
        switch self {
        case .faulty(let path, let faults): faults.first?.line(in: URL(filePath: path).lastPathComponent) ?? ""
        case .theme(let problem): problem.description
        case .unusable: lines.first ?? ""
        }
    }

    /// One line for each fault: `FILE:LINE:COLUMN: what is wrong`.
    package var lines: [String] {
        switch self {
        case .unusable(let path, let reason): ["the config file \(path) \(reason)"]
        case .theme(let problem): problem.lines
        case .faulty(let path, let faults):
            faults.map { $0.line(in: path) }
                + (faults.count < ConfigurationReader.mostFaults
                    ? [] : ["\(path): further faults are not shown"])
        }
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
