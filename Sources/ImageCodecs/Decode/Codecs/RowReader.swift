import Raster

/// A reader that scales the rows of a codec to the requested size.
struct RowReader {
    /// The size of the picture that the rows form.
    let size: PixelSize
    /// Whether the alpha of every pixel is 255.
    let isOpaque: Bool

    /// The bytes requested at a time, so that they stay in a core's cache; at least one row is requested.
    private static let bytesAtOnce = 128 << 10

    /// Reads and scales the picture; nil as soon as `read` returns false.
    ///
    /// - Parameters:
    ///   - target: The size of the result, nowhere larger than `size`.
    ///   - read: A closure that fills the memory with the given number of rows.
    func picture(
        scaledTo target: PixelSize, _ read: (UnsafeMutableRawBufferPointer, Int) -> Bool
    ) -> PixelBuffer? {
        guard target != size else { return whole { read($0, size.height) } }
        let scaler = RowScaler(SeparableFilter(scaling: size, to: target, isOpaque: isOpaque))
        let stride = size.width * 4
        let rowsAtOnce = max(1, Self.bytesAtOnce / stride)
        for top in Swift.stride(from: 0, to: size.height, by: rowsAtOnce) {
            let count = min(rowsAtOnce, size.height - top)
            var isRead = false
            let rows = [UInt8](unsafeUninitializedCapacity: count * stride) { memory, written in
                isRead = read(UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: count * stride), count)
                written = isRead ? count * stride : 0
            }
            guard isRead else { return nil }
            scaler.add(rows)
        }
        return scaler.finish()
    }

    /// Reads the picture at once without scaling; nil if `read` returns false.
    func whole(_ read: (UnsafeMutableRawBufferPointer) -> Bool) -> PixelBuffer? {
        var isRead = false
        let picture = PixelBuffer(size: size) { isRead = read(UnsafeMutableRawBufferPointer($0)) }
        return isRead ? picture : nil
    }
}
