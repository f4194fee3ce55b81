/// An error that ends a program; its text says what failed, where, and what to do.
public struct ProgramProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
