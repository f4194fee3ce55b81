import Dispatch
import Raster
import Synchronization

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
