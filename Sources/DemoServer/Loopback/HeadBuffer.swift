/// The bytes that a client has sent, cut into the heads of requests.
package struct HeadBuffer: Hashable, Sendable {
    /// The longest request head in bytes.
    package static let limit = 64 * 1024

    /// The bytes that are in no head yet.
    package private(set) var rest: [UInt8] = []

    package init() {}

    /// Whether the unfinished head is too long.
    package var isTooLong: Bool { rest.count > Self.limit }

    /// Adds bytes as they came.
    package mutating func append(_ bytes: [UInt8]) { rest += bytes }

    /// Removes and returns the bytes up to and including the first blank line; nil if there is none yet.
    package mutating func next() -> String? {
        let mark: [UInt8] = [13, 10, 13, 10]
        let starts = rest.indices.dropLast(mark.count - 1)
        guard let end = starts.first(where: { rest[$0] == 13 && rest[$0...].starts(with: mark) }) else { return nil }
        defer { rest.removeFirst(end + mark.count) }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
