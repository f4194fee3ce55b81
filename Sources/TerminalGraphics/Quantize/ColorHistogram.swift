import Raster

/// The pixels of one or more pictures sorted into 32×32×32 bins, each with a count and the sums of its channels.
struct ColorHistogram: Sendable {
    static let bits = 5
    static let side = 1 << bits
    /// The most pixels that are looked at for one palette; larger pictures are sampled evenly.
    static let sampleLimit = 1 << 18

    /// Red, green and blue sums and the count of each bin.
    private(set) var bins = [SIMD4<UInt32>](repeating: .zero, count: side * side * side)

    /// Adds about `limit` pixels of an opaque picture, all of them when it has no more.
    mutating func add(_ picture: PixelBuffer, limit: Int = sampleLimit) {
        let area = picture.size.area
        let stride = max(1, area / max(1, limit))
        bins.withUnsafeMutableBufferPointer { bins in
            picture.bytes.withUnsafeBufferPointer { bytes in
                for start in Swift.stride(from: 0, to: area, by: stride) {
                    let pixel = Self.sample(start, stride: stride, area: area) * 4
                    let (red, green, blue) = (bytes[pixel], bytes[pixel + 1], bytes[pixel + 2])
                    bins[Self.bin(red, green, blue)] &+= SIMD4(UInt32(red), UInt32(green), UInt32(blue), 1)
                }
            }
        }
    }

    /// A pixel of the group that begins at `start`; another place in each group, so that no column is preferred.
    @inline(__always)
    private static func sample(_ start: Int, stride: Int, area: Int) -> Int {
        guard stride > 1 else { return start }
        let jitter = (UInt32(truncatingIfNeeded: start) &* 2_654_435_769) >> 16
        return min(start + Int(jitter) % stride, area - 1)
    }

    @inline(__always)
    private static func bin(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }
}
