@testable import AlcedoLists

extension ListParser {
    /// Returns the events of a text, fed in pieces of that many bytes; all at once by default.
    mutating func events(_ text: String, pieces: Int = .max, isTruncated: Bool = false) -> [ListEvent] {
        var events: [ListEvent] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            feed(Array(rest.prefix(pieces)), into: &events)
            rest = rest.dropFirst(pieces)
        }
        finish(isTruncated: isTruncated, into: &events)
        return events
    }
}
