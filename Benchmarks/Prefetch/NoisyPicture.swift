import Foundation
import ImageLoading
import Raster

/// A PNG of a given length, no two alike: a picture of 64 × 48 pixels, and noise behind its end that decoders ignore.
struct NoisyPicture {
    private let base: Data

    init() throws {
        base = try PixelBuffer(size: PixelSize(width: 64, height: 48), filledWith: .white).pngData()
    }

    func png(bytes: Int, seed: inout UInt64) -> Data {
        base + Data((0..<max(0, bytes - base.count)).map { _ in UInt8(truncatingIfNeeded: Self.next(&seed)) })
    }

    /// xorshift64* (Vigna, 2016).
    private static func next(_ seed: inout UInt64) -> UInt64 {
        seed ^= seed >> 12
        seed ^= seed << 25
        seed ^= seed >> 27
        return (seed &* 0x2545_F491_4F6C_DD1D) >> 32
    }
}
