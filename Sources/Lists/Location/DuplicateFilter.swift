/// Remembers which locations were seen, by 64-bit hashes of their normal form.
///
/// About 25 bytes a location and no strings kept. The hash is seeded anew in every process (SipHash), so a list
/// cannot be written to collide; among a million locations two different ones are taken for equal with a probability
/// of about 3 in 100 million.
public struct DuplicateFilter: Sendable {
    private var first: [UInt64: UInt32] = [:]

    public init() {}

    /// The number of different locations seen.
    public var count: Int { first.count }

    /// Remembers the location under its place in the list, or returns the place it was first seen at.
    public mutating func insert(_ location: String, at place: Int) -> Int? {
        let key = Self.hash(URLNormalizer.normalize(location))
        if let earlier = first[key] { return Int(earlier) }
        first[key] = UInt32(clamping: place)
        return nil
    }

    private static func hash(_ text: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(text)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
