import AlcedoCSixel
import Glibc
import Raster

/// libsixel's own decoder, the other witness beside `SixelReader`.
enum ReferenceDecoder {
    /// The picture in a stream; nil when libsixel refuses it.
    static func decode(_ stream: [UInt8]) -> PixelBuffer? {
        var stream = stream
        var pixels: UnsafeMutablePointer<UInt8>?
        var palette: UnsafeMutablePointer<UInt8>?
        var (width, height, colors) = (Int32(0), Int32(0), Int32(0))
        let status = sixel_decode_raw(
            &stream, Int32(stream.count), &pixels, &width, &height, &palette, &colors, nil)
        defer {
            free(pixels)
            free(palette)
        }
        guard csixel_failed(status) == 0, let pixels, let palette else { return nil }
        return PixelBuffer(size: PixelSize(width: Int(width), height: Int(height))) { bytes in
            for place in 0..<Int(width) * Int(height) {
                for channel in 0..<3 { bytes[place * 4 + channel] = palette[Int(pixels[place]) * 3 + channel] }
                bytes[place * 4 + 3] = 255
            }
        }
    }
}
