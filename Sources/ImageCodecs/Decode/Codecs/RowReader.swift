import Dispatch
import Raster
import Synchronization

/// A reader that scales the rows of a codec to the requested size.
struct RowReader {
    /// The size of the picture that the rows form.
    let size: PixelSize
    /// Whether the alpha of every pixel is 255.
    let isOpaque: Bool
    /// The size of the picture in these pixels, if the last column or row is partly outside; nil if they are whole.
    var extent: (width: Double, height: Double)?
    /// The part of the result that is computed; nil for all.
    var part: PixelRect?

    /// The bytes requested at a time, so that they stay in a core's cache; at least one row is requested.
    private static let bytesAtOnce = 128 << 10
    /// The most pixels that are scaled where they are read: two threads cost more than they save.
    private static let pixelsAlone = 1 << 20

    /// Reads and scales the picture; nil as soon as `read` returns false.
    ///
    /// - Parameters:
    ///   - target: The size of the result, nowhere larger than `size`.
    ///   - read: A closure that fills the memory with the given number of rows.
    func picture(
        scaledTo target: PixelSize, _ read: (UnsafeMutableRawBufferPointer, Int) -> Bool
    ) -> PixelBuffer? {
        guard target != size else {
            return whole { read($0, size.height) }.map { picture in part.map(picture.part) ?? picture }
        }
        let filter = SeparableFilter(scaling: size, to: target, isOpaque: isOpaque, extent: extent, part: part)
        let scaler = RowScaler(filter, isConcurrent: size.area > Self.pixelsAlone)
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
    /// The scaler's own queue; nil if a small picture is scaled where it is read, which costs less.
    private let queue: DispatchQueue?
    /// The free places for waiting batches of rows; they limit how far a fast decoder gets ahead of the scaler.
    private let room = DispatchSemaphore(value: 4)

    init(_ filter: SeparableFilter, isConcurrent: Bool) {
        self.filter = Mutex(filter)
        queue = isConcurrent ? DispatchQueue(label: "alcedo.scaling") : nil
    }

    /// Adds complete rows; blocks while too many batches wait.
    func add(_ rows: [UInt8]) {
        guard let queue else { return scale(rows) }
        room.wait()
        queue.async {
            self.scale(rows)
            self.room.signal()
        }
    }

    private func scale(_ rows: [UInt8]) {
        filter.withLock { filter in rows.withUnsafeBytes { filter.add($0) } }
    }

    /// Waits for the remaining rows and returns the picture; nil if rows are missing.
    func finish() -> PixelBuffer? {
        queue?.sync {}
        return filter.withLock(\.picture)
    }
}
