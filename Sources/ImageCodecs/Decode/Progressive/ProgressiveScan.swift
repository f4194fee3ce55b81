/// A completely received scan of a progressive JPEG.
public struct ProgressiveScan: Sendable, Hashable {
    /// The number of the scan, from 1.
    public var number: Int
    /// The number of bytes from the start of the file to the end of the scan.
    public var end: Int

    public init(number: Int, end: Int) {
        self.number = number
        self.end = end
    }
}
