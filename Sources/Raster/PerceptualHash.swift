/// A perceptual hash of 64 bits: similar pictures have hashes that differ in few bits.
///
/// The picture is scaled to 32 × 32 pixels of luma (ITU-R BT.601, as Pillow's mode L). A bit is set if the coefficient
/// of the two-dimensional DCT-II at its place is above the median of the 8 × 8 lowest ones; the first bit is the
/// highest. The value is that of `phash` in the Python package imagehash, within 2 bits on photos.
///
/// Source: Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions" (2010), section 3.2.
public struct PerceptualHash: Sendable, Hashable {
    public let bits: UInt64

    public init(bits: UInt64) { self.bits = bits }

    /// Returns the number of different bits, 0 to 64.
    public func distance(to other: PerceptualHash) -> Int { (bits ^ other.bits).nonzeroBitCount }
}

extension PerceptualHash: CustomStringConvertible {
    /// 16 hexadecimal digits, as imagehash writes them.
    public var description: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads 16 hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 16, let bits = UInt64(text, radix: 16) else { return nil }
        self.init(bits: bits)
    }
}
