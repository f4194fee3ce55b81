/// Bytes that come in pieces of bounded size.
protocol ByteSource: Sendable {
    /// What messages call it.
    var name: String { get }

    /// The next bytes; none at the end. Errors name the line, when it is not 0.
    mutating func read(line: Int) async throws(ListError) -> [UInt8]

    /// Whether nothing comes for a while; false where the source cannot tell, as by default.
    func isQuiet() async -> Bool
}

extension ByteSource {
    func isQuiet() async -> Bool { false }
}
