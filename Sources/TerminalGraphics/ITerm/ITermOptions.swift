/// How pictures are sent by iTerm2's inline image protocol.
public struct ITermOptions: Hashable, Sendable {
    /// zlib's effort in the PNG file: 1 (the default, fast) to 9 (small).
    public let compression: Int
    /// The most characters of the file in one control string; nil, the default, sends all in one.
    ///
    /// Only iTerm2 since 3.5 joins parts; tmux and iTerm2 take no more than 1,048,576 bytes in one.
    public let partLimit: Int?

    /// Clamps `compression` to 1…9 and `partLimit` to 200 or more.
    public init(compression: Int = 1, partLimit: Int? = nil) {
        self.compression = min(max(compression, 1), 9)
        self.partLimit = partLimit.map { max(200, $0) }
    }

    /// The longest side ever sent, in pixels: 10,000.
    public static let largestSide = 10_000
}
