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
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last
        else { return nil }
        if parts[1] != "*" {
            guard let total = Self.number(parts[1]), last < total else { return nil }
            self.total = total
        }
        (self.first, self.last) = (first, last)
    }

    private static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }
}

extension BodyPart {
    /// Returns the length of the whole body if a 206 response carries exactly the rest of this one, or nil
    /// otherwise.
    func totalIfContinued(by range: ContentRange?, etag newTag: String?) -> Int? {
        guard let range, range.first == data.count, newTag == nil || newTag == etag,
            let whole = range.total ?? total, whole == total ?? whole, range.last == whole - 1
        else { return nil }
        return whole
    }
}
