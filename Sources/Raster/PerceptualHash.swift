/// A perceptual hash of 64 bits: similar pictures have hashes that differ in few bits.
///
/// The picture is scaled to 32 × 32 pixels of luma (ITU-R BT.601, as Pillow's mode L). A bit is set if the coefficient
/// of the two-dimensional DCT-II at its place is above the median of the 8 × 8 lowest ones; the first bit is the
/// highest. A border of one colour is cut off before. Without one, the value is that of `phash` in the Python package
/// imagehash, within 2 bits on photos. A flat picture has no hash.
///
/// Source: Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions" (2010), section 3.2.
public struct PerceptualHash: Sendable, Hashable {
    /// The bits, the first one highest.
    public let bits: UInt64

    /// Creates a hash of these bits.
    public init(bits: UInt64) { self.bits = bits }

    /// The hashes of the picture turned by quarters and mirrored, this one first.
    ///
    /// The odd coefficients of a direction change their sign when it is mirrored; a quarter turn is a mirrored exchange
    /// of the directions.
    package var turned: [PerceptualHash] {
        var exchanged: UInt64 = 0
        for place in 0..<64 {
            let bit: UInt64 = bits >> UInt64(place) & 1
            exchanged |= bit << UInt64(place % 8 * 8 + place / 8)
        }
        let masks: [UInt64] = [0, 0x5555_5555_5555_5555, 0x00FF_00FF_00FF_00FF, 0x55AA_55AA_55AA_55AA]
        return [bits, exchanged].flatMap { hash in masks.map { PerceptualHash(bits: hash ^ $0) } }
    }

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
