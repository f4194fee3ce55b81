/// A scan of a progressive JPEG whose bytes are all there.
public struct ProgressiveScan: Sendable, Hashable {
    /// From 1.
    public var number: Int
    /// How many of the file's bytes there are up to its end.
    public var end: Int

    public init(number: Int, end: Int) {
        self.number = number
        self.end = end
    }
}
