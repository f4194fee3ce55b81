import Foundation

/// Why a config file cannot be used.
public enum ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file as a whole, and what is wrong with it.
    case unusable(path: String, reason: String)
    /// The theme that it names, which cannot be used.
    case theme(ThemeProblem)
    /// What is in it, in the order of its lines; at most ``ConfigurationReader/mostFaults`` of them.
    case faulty(path: String, [ConfigurationFault])

    /// The first of its lines, with the file's name alone.
    public var description: String {
        switch self {
        case .faulty(let path, let faults): faults.first?.line(in: URL(filePath: path).lastPathComponent) ?? ""
        case .theme(let problem): problem.description
        case .unusable: lines.first ?? ""
        }
    }

    /// A line for each fault, as `FILE:LINE:COLUMN: what is wrong`.
    public var lines: [String] {
        switch self {
        case .unusable(let path, let reason): ["the config file \(path) \(reason)"]
        case .theme(let problem): problem.lines
        case .faulty(let path, let faults):
            faults.map { $0.line(in: path) }
                + (faults.count < ConfigurationReader.mostFaults
                    ? [] : ["\(path): no more than these are told at once"])
        }
    }
}

/// One thing wrong in a config file.
public struct ConfigurationFault: Error, Sendable, Equatable, Encodable {
    /// From 1; columns in Unicode scalars.
    public let line, column: Int
    /// What was found and what is expected.
    public let text: String

    init(_ text: String, at position: KeyPositions.Position) {
        (line, column) = (position.line, position.column)
        self.text = text
    }

    /// As `FILE:LINE:COLUMN: what is wrong`.
    func line(in path: String) -> String { "\(path):\(line):\(column): \(text)" }
}

/// The faults of one text.
public struct ConfigurationFaults: Error, Sendable, Equatable {
    public let faults: [ConfigurationFault]
}
