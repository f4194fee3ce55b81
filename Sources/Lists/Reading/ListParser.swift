/// One list format: bytes in, as they come, and events out.
protocol ListParser: Sendable {
    /// The last line read to its end, from 1.
    var line: Int { get }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) throws(ListError)

    /// What is left when the bytes end.
    mutating func finish(into events: inout [ListEvent]) throws(ListError)
}
