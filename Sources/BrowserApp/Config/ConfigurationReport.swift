/// What a look at the config file found.
public struct ConfigurationReport: Sendable, Encodable {
    public let path: String
    public let ok: Bool
    /// Where there is none, the defaults hold.
    public let exists: Bool
    /// Each thing wrong in it, with its line and column.
    public let faults: [ConfigurationFault]
    /// Why it cannot be read at all; nil when it can.
    public let reason: String?
    public let problem: ConfigurationProblem?

    /// Reads the file.
    public init(_ file: ConfigurationFile) {
        path = file.path
        var isPresent = true
        var found: ConfigurationProblem?
        do throws(ConfigurationProblem) { isPresent = try file.read() != nil } catch { found = error }
        exists = isPresent
        problem = found
        ok = found == nil
        if case .faulty(_, let list) = found { faults = list } else { faults = [] }
        if case .unusable(_, let text) = found { reason = text } else { reason = nil }
    }

    /// The path, then how it is.
    public var lines: [String] { [path] + (problem?.lines ?? [exists ? "ok" : "ok, there is none; the defaults hold"]) }

    private enum CodingKeys: String, CodingKey {
        case path, ok, exists, faults, reason
    }
}
