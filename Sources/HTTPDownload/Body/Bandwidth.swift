import Retrying
import Synchronization

/// The limit on the bytes per second of all transfers of a downloader together.
///
/// Bytes are counted when they are received. A transfer that exceeds the limit waits before it reads on, and the
/// flow control of its connection slows the server down. This waiting time does not count as a stall.
final class Bandwidth: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let clock: TransferClock

    /// Creates a limit that allows bursts of a quarter of a second.
    init(bytesPerSecond: Int, clock: TransferClock) {
        self.clock = clock
        let rate = Double(max(1, bytesPerSecond))
        bucket = Mutex(TokenBucket(rate: rate, capacity: rate / 4))
    }

    /// Counts received bytes, then waits until the transfer is within the limit again.
    func acquire(_ count: Int) async throws {
        let moment = clock.now()
        let wait = bucket.withLock { $0.reserve(count, at: moment) }
        if wait > .zero { try await clock.sleep(wait) }
    }

    /// The total time for which the limit delayed transfers so far.
    var heldTime: Duration {
        let moment = clock.now()
        return bucket.withLock { $0.debtTime(at: moment) }
    }
}
