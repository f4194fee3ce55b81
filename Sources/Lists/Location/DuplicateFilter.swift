/// Remembers which texts were seen, such as locations in their normal form, by 64-bit hashes.
///
/// About 25 bytes a text and no strings kept. The hash is seeded anew in every process (SipHash), so a list
/// cannot be written to collide; among a million texts two different ones are taken for equal with a probability
/// of about 3 in 100 million.
public struct DuplicateFilter: Sendable {
    private var first: [UInt64: UInt32] = [:]

    public init() {}

    /// Remembers the text under its place in the list, or returns the place it was first seen at.
    public mutating func insert(_ text: String, at place: Int) -> Int? {
        let key = Self.hash(text)
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
