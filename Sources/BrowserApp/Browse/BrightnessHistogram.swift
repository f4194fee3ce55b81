import Raster

/// The brightness of a picture's pixels in sixteen ranges.
enum BrightnessHistogram {
    static let ranges = 16
    /// The most pixels that are counted; of larger pictures, every n-th one is.
    private static let sample = 1 << 18

    /// Returns the count of each range as a share of the largest one; empty if no pixel is visible.
    static func shares(of pixels: PixelBuffer) -> [Double] {
        var counts = [Int](repeating: 0, count: ranges)
        let count = pixels.bytes.count / 4
        // A step that does not divide the width does not count the same columns in each row.
        var step = max(1, count / sample)
        while step > 1, pixels.size.width % step == 0 { step += 1 }
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for pixel in stride(from: 0, to: count, by: step) where bytes[pixel * 4 + 3] > 0 {
                let place = pixel * 4
                let color = Color(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
                counts[min(ranges - 1, color.luma * ranges / 255_000)] += 1
            }
        }
        guard let largest = counts.max(), largest > 0 else { return [] }
        return counts.map { Double($0) / Double(largest) }
    }
}
