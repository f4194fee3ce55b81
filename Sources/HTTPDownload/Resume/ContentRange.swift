import AlcedoHTTPRequests

/// The byte range of a 206 response: `bytes 5-9/10` (RFC 9110, section 14.4).
struct ContentRange: Sendable, Hashable {
    var first: Int
    var last: Int
    /// The length of the whole body; nil for `*`, which means unknown.
    var total: Int?

    /// Whether the range is the whole body.
    var isWhole: Bool { first == 0 && last + 1 == total }

    init?(_ field: String) {
        let pattern = #/ *bytes +([0-9]+)-([0-9]+)/(\*|[0-9]+) */#.ignoresCase()
        guard let (_, first, last, whole) = field.wholeMatch(of: pattern)?.output, let first = Int(first),
            let last = Int(last), first <= last
        else { return nil }
        if whole != "*" {
            guard let total = Int(whole), last < total else { return nil }
            self.total = total
        }
        (self.first, self.last) = (first, last)
    }
}
