/// A set of texts, such as normalized locations, stored as 64-bit hashes.
///
/// Takes about 25 bytes for each text and keeps no strings. The hash has a new seed in every process (SipHash), so
/// nobody can write a list that collides on purpose. A collision among a million texts has a probability of about 3 in
/// 100 million.
package struct DuplicateFilter: Sendable {
    private var indices: [Int: UInt32] = [:]

    package init() {}

    /// Stores the text with its index in the list; returns the index of its first occurrence, or nil if it is new.
    package mutating func insert(_ text: String, at index: Int) -> Int? {
        let key = text.hashValue
        if let first = indices[key] { return Int(first) }
        indices[key] = UInt32(clamping: index)
        return nil
    }

    /// Returns the index of the text's first occurrence; nil if it is not known.
    package func index(of text: String) -> Int? { indices[text.hashValue].map { Int($0) } }
}
