/// Why a program of ours cannot go on; the text says what, where and what to do.
public struct ProgramProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
