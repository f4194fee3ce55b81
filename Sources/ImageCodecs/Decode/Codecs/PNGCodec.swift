import Raster

/// A PNG file decompressed by libdeflate and unfiltered by SIMD code in this module.
///
/// zlib and the scalar filters of libspng take four times as long.
struct PNGCodec: Codec {
    let format = ImageFormat.png
    private let chunks: PNGChunks

    /// The largest number of bytes decompressed at once; libvips decodes larger pictures row by row.
    private static let largest = 64 << 20

    /// Opens a PNG; nil for animations, interlaced pictures, 16 bits per channel, and a colour profile other than sRGB.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let chunks = PNGChunks(bytes), !chunks.isAnimated, !chunks.needsProfile else { return nil }
        self.chunks = chunks
    }

    var storedSize: PixelSize { PixelSize(width: chunks.width, height: chunks.height) }
    var orientation: Orientation { chunks.orientation }

    func pixels(scaledTo target: PixelSize) -> DecodedPixels? {
        let pixelBits = chunks.depth * chunks.type.channels
        let rowBytes = (chunks.width * pixelBits + 7) / 8
        let (count, overflow) = (rowBytes + 1).multipliedReportingOverflow(by: chunks.height)
        guard !target.isEmpty, !overflow, count <= Self.largest, let packed = chunks.packed,
            var rows = packed.withUnsafeBytes({ Inflating.bytes($0, count: count) })
        else { return nil }
        let isOpaque = chunks.transparency.isEmpty && (chunks.type.channels % 2 == 1)
        let reader = RowReader(size: storedSize, isOpaque: isOpaque)
        return rows.withUnsafeMutableBytes { rows in
            var unpacking = PNGRows(rows, chunks, rowBytes: rowBytes)
            let conversion = chunks.colorSpace.conversion
            let pixels = reader.picture(scaledTo: target) { memory, count in
                guard unpacking.read(into: memory, rows: count) else { return false }
                conversion?.convert(memory)
                return true
            }
            return pixels.map { DecodedPixels(pixels: $0) }
        }
    }
}
