import Raster

/// A picture's rows as plain bytes: three per pixel if all pixels are opaque, otherwise four.
struct PixelRows: Sendable {
    let picture: PixelBuffer
    /// The number of channels: 3 for red, green and blue, 4 with alpha.
    let channels: Int

    /// Creates the rows of a picture in O(pixels), to find transparent pixels.
    init(_ picture: PixelBuffer) {
        self.picture = picture
        channels = picture.isOpaque ? 3 : 4
    }

    /// The number of bytes of a row.
    var stride: Int { picture.size.width * channels }

    /// Returns the concatenated bytes of some rows.
    func bytes(_ rows: Range<Int>) -> [UInt8] {
        let width = picture.size.width
        guard channels == 3 else {
            return Array(picture.bytes[rows.lowerBound * width * 4..<rows.upperBound * width * 4])
        }
        return [UInt8](unsafeUninitializedCapacity: rows.count * width * 3) { output, written in
            picture.bytes.withUnsafeBufferPointer { input in
                let first = rows.lowerBound * width
                for pixel in 0..<rows.count * width {
                    let (source, target) = ((first &+ pixel) &* 4, pixel &* 3)
                    for channel in 0..<3 { output[target &+ channel] = input[source &+ channel] }
                }
            }
            written = rows.count * width * 3
        }
    }
}
