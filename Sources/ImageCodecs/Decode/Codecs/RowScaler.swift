import Dispatch
import Raster
import Synchronization

/// Scales rows in a thread of its own, while the caller decodes the next ones.
final class RowScaler: Sendable {
    private let filter: Mutex<SeparableFilter>
    private let queue = DispatchQueue(label: "alcedo.scaling")
    /// Portions that may wait, so that a slow scaler holds back a fast decoder.
    private let room = DispatchSemaphore(value: 4)

    init(_ filter: SeparableFilter) { self.filter = Mutex(filter) }

    /// Takes whole rows; may wait for room.
    func add(_ rows: [UInt8]) {
        room.wait()
        queue.async {
            self.filter.withLock { filter in rows.withUnsafeBytes { filter.add($0) } }
            self.room.signal()
        }
    }

    /// Waits for the last rows; nil when some are missing.
    func finish() -> PixelBuffer? {
        queue.sync { filter.withLock(\.picture) }
    }
}
