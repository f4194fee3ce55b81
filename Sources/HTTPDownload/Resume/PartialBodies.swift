import AlcedoHTTPRequests
import FoundationEssentials

/// The parts of bodies whose transfers broke or were cancelled, for the next transfers of equal requests.
///
/// They are in memory only, and no cache stores them. The oldest are removed if all of them exceed the limit.
struct PartialBodies: Sendable {
    /// The address and the header fields of a request, among them credentials and accepted formats; together they select
    /// a body.
    struct Key: Sendable, Hashable {
        private let url: URL
        private let headers: [HeaderField]

        /// Creates the key of a request; nil if it wants only the beginning of a body.
        init?(_ request: DownloadRequest) {
            guard request.firstBytes == nil else { return nil }
            url = request.url
            headers = request.headers.map { HeaderField(name: $0.name.lowercased(), value: $0.value) }
        }
    }

    /// The maximum number of parts, which are searched one by one.
    static let countLimit = 256

    private let limit: Int
    /// The parts, oldest first.
    private var parts: [(key: Key, part: BodyPart)] = []
    /// The number of stored bytes.
    private(set) var bytes = 0

    /// Creates an empty store of at most `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// Removes the part of a request and returns it.
    mutating func remove(_ key: Key) -> BodyPart? {
        guard let index = parts.firstIndex(where: { $0.key == key }) else { return nil }
        let part = parts.remove(at: index).part
        bytes -= part.data.count
        return part
    }

    /// Stores a part in place of an earlier one; a part that alone exceeds the limit is not stored.
    mutating func store(_ part: BodyPart, for key: Key) {
        _ = remove(key)
        guard part.data.count <= limit else { return }
        parts.append((key, part))
        bytes += part.data.count
        while bytes > limit || parts.count > Self.countLimit { bytes -= parts.removeFirst().part.data.count }
    }

    mutating func removeAll() { (parts, bytes) = ([], 0) }
}
