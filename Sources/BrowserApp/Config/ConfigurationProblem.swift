/// Why a config file cannot be used.
public enum ConfigurationProblem: Error, Sendable, Equatable {
    /// The file as a whole, and what is wrong with it.
    case unusable(path: String, reason: String)
    /// What is in it, in the order of its lines; at most ``ConfigurationReader/mostFaults`` of them.
    case faulty(path: String, [ConfigurationFault])

    /// A line for each fault, as `FILE:LINE:COLUMN: what is wrong`.
    public var lines: [String] {
        switch self {
        case .unusable(let path, let reason): ["the config file \(path) \(reason)"]
        case .faulty(let path, let faults):
            faults.map { "\(path):\($0.line):\($0.column): \($0.text)" }
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
}

/// The faults of one text.
public struct ConfigurationFaults: Error, Sendable, Equatable {
    public let faults: [ConfigurationFault]
}
