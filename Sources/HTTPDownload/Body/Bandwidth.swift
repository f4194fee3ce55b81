import Retrying
import Synchronization

/// What all transfers of a downloader may take of the line together.
///
/// Bytes are counted as they come, and who brought more than there was waits before it reads on; the connection's own
/// flow control passes that on to the server. The time for which a transfer waits here is no stall.
final class Bandwidth: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let clock: TransferClock

    /// So many bytes a second; what a quarter of a second gives is let through at once.
    init(bytesPerSecond: Int, clock: TransferClock) {
        self.clock = clock
        let rate = Double(max(1, bytesPerSecond))
        bucket = Mutex(TokenBucket(rate: rate, capacity: rate / 4))
    }

    /// Takes so many bytes and waits until they are paid off.
    func take(_ count: Int) async throws {
        let moment = clock.now()
        let wait = bucket.withLock { $0.take(count, at: moment) }
        if wait > .zero { try await clock.sleep(wait) }
    }

    /// How long transfers were held up so far: time that is no transfer's fault.
    var heldTime: Duration {
        let moment = clock.now()
        return bucket.withLock { $0.debtTime(at: moment) }
    }
}
