import Raster

/// Brings the rows that a codec hands out to the wanted size.
struct RowReader {
    /// Of the rows as they come.
    let size: PixelSize
    /// Whether every fourth byte is 255.
    let isOpaque: Bool

    /// Bytes that are asked for at a time, one row at least; they stay in a core's cache.
    private static let bytesAtOnce = 128 << 10

    /// The picture; nil as soon as `read`, which is to fill the memory with that many rows, answers false.
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

    /// The picture at once, in the size it has; nil when `read` answers false.
    func whole(_ read: (UnsafeMutableRawBufferPointer) -> Bool) -> PixelBuffer? {
        var isRead = false
        let picture = PixelBuffer(size: size) { isRead = read(UnsafeMutableRawBufferPointer($0)) }
        return isRead ? picture : nil
    }
}
