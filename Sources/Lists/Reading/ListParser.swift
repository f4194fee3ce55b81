/// A parser of one list format, fed with bytes as they arrive.
protocol ListParser: Sendable {
    /// The number of the last complete line, from 1.
    var line: Int { get }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent])

    /// Whether an entry waits for lines that may belong to it; false by default.
    var hasPendingEntry: Bool { get }

    /// Returns the pending entry; called when no more lines arrive for now.
    mutating func flush(into events: inout [ListEvent])

    /// Parses the rest after the last bytes.
    ///
    /// - Parameter isTruncated: Whether an error ended the bytes. A line or a tag without its end is dropped then.
    mutating func finish(isTruncated: Bool, into events: inout [ListEvent])

    /// The evidence at the end that the list is not complete; nil by default.
    var truncation: Truncation? { get }

    /// The message for a list without any event; nil, the default, if an empty list is valid.
    var emptyReason: String? { get }
}

/// A parser that reads one line after another.
protocol LineListParser: ListParser {
    var splitter: LineSplitter { get set }

    mutating func read(_ line: ListLine, into events: inout [ListEvent])
}

extension LineListParser {
    var line: Int { splitter.number }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for line in splitter.feed(bytes) { read(line, into: &events) }
    }

    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {
        if !isTruncated, let line = splitter.finish() { read(line, into: &events) }
    }
}

/// The place where a list breaks off, and what is missing.
struct Truncation: Hashable {
    let line: Int
    let reason: String
}

extension ListParser {
    var hasPendingEntry: Bool { false }
    mutating func flush(into events: inout [ListEvent]) {}
    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {}
    var truncation: Truncation? { nil }
    var emptyReason: String? { nil }
}

extension [ListEvent] {
    /// Appends an entry, or a rejection that says why its location cannot be used.
    ///
    /// - Parameters:
    ///   - location: The reference of the entry.
    ///   - alternatives: References of other versions; unusable ones are left out.
    ///   - lowData: A reference of a smaller version; an unusable one is left out.
    ///   - resolve: Returns the location of a reference.
    mutating func append(
        _ location: String, line: Int, title: String? = nil, kind: ListEntry.Kind = .picture,
        alternatives: [String] = [], lowData: String? = nil,
        resolve: (String) throws(LocationError) -> String
    ) {
        do {
            let title = title?.trimmed ?? ""
            var entry = ListEntry(
                line: line, location: try resolve(location), title: title.isEmpty ? nil : String(title))
            entry.kind = kind
            for case let other? in alternatives.map({ try? resolve($0) })
            where other != entry.location && !entry.alternatives.contains(other) {
                entry.alternatives.append(other)
            }
            entry.lowData = lowData.flatMap { try? resolve($0) }
            if entry.lowData == entry.location { entry.lowData = nil }
            append(.entry(entry))
        } catch {
            append(.rejected(line: line, reason: error.description))
        }
    }
}
