import Dispatch
import Raster
import Synchronization

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

/// A scaler that works on its own queue while the caller decodes the next rows.
final class RowScaler: Sendable {
    private let filter: Mutex<SeparableFilter>
    private let queue = DispatchQueue(label: "alcedo.scaling")
    /// The free places for waiting batches of rows; they limit how far a fast decoder gets ahead of the scaler.
    private let room = DispatchSemaphore(value: 4)

    init(_ filter: SeparableFilter) { self.filter = Mutex(filter) }

    /// Adds complete rows; blocks while too many batches wait.
    func add(_ rows: [UInt8]) {
        room.wait()
        queue.async {
            self.filter.withLock { filter in rows.withUnsafeBytes { filter.add($0) } }
            self.room.signal()
        }
    }

    /// Waits for the remaining rows and returns the picture; nil if rows are missing.
    func finish() -> PixelBuffer? {
        queue.sync { filter.withLock(\.picture) }
    }
}
