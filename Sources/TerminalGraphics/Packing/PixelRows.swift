import Raster

/// A picture's rows as plain bytes: three a pixel where all of it is opaque, else four.
struct PixelRows: Sendable {
    let picture: PixelBuffer
    /// 3 for red, green and blue, 4 with alpha.
    let channels: Int

    /// Complexity: O(pixels), to find out whether there is transparency.
    init(_ picture: PixelBuffer) {
        self.picture = picture
        channels = picture.isOpaque ? 3 : 4
    }

    /// The bytes of one row.
    var stride: Int { picture.size.width * channels }

    /// Some rows, one after the other.
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
