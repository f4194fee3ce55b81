import Lists

/// One of several equal parts of a list: the same on every machine, whatever the order of the list.
public struct Shard: Sendable, Hashable {
    /// From 1 to `count`.
    public let index: Int
    public let count: Int

    /// Reads `2/8`; nil when it is no part of up to 65,536.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], (1...65_536).contains(count),
            (1...count).contains(index)
        else { return nil }
        (self.index, self.count) = (index, count)
    }

    public var text: String { "\(index)/\(count)" }

    /// Whether a picture is in this part; each is in exactly one.
    func contains(_ name: PictureName) -> Bool { name.hash % UInt64(count) == UInt64(index - 1) }
}

/// What makes two entries of lists the same picture: the key, else the location as it is normally written.
struct PictureName: Sendable, Hashable {
    let text: String

    init(of entry: ListEntry) { text = entry.key ?? URLNormalizer.normalize(entry.location) }

    var hash: UInt64 { StableHash.hash(text) }
}
