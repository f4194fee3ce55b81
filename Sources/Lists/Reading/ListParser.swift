/// One list format: bytes in, as they come, and events out.
protocol ListParser: Sendable {
    /// The last line read to its end, from 1.
    var line: Int { get }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent])

    /// Whether something is held back that is whole as far as one can tell; false by default.
    var holdsBack: Bool { get }

    /// Gives that out, as nothing comes that could belong to it.
    mutating func release(into events: inout [ListEvent])

    /// What is left when the bytes end.
    ///
    /// When they are cut off by an error, a line or a tag without its end is dropped: it may be half of something.
    mutating func finish(isCut: Bool, into events: inout [ListEvent])

    /// What shows, once it has finished, that the bytes were cut off; nil, by default, where nothing does.
    var missingEnd: MissingEnd? { get }
}

/// Where a list breaks off, and what is missing there.
struct MissingEnd: Hashable {
    let line: Int
    let reason: String
}

extension ListParser {
    var holdsBack: Bool { false }
    mutating func release(into events: inout [ListEvent]) {}
    var missingEnd: MissingEnd? { nil }
}
