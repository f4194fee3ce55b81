import Foundation
import Synchronization

/// The memory tier: least recently used entries go first when the cost limit is passed.
///
/// Every operation takes O(1) time and never waits for anything but a short lock, so a hit needs no `await`.
public final class MemoryStorage<Value: Sendable>: Sendable {
    public struct Configuration: Sendable {
        /// Sum of costs, in bytes; 256 MiB by default.
        public var totalCostLimit: Int
        /// Largest share of the limit that one entry may take; a tenth by default.
        public var entryShare: Double
        /// 300 s by default; reading an entry starts its life anew.
        public var expiration: Duration?

        public init(totalCostLimit: Int = 256 << 20, entryShare: Double = 0.1, expiration: Duration? = .seconds(300)) {
            self.totalCostLimit = max(0, totalCostLimit)
            self.entryShare = entryShare
            self.expiration = expiration
        }
    }

    private let state: Mutex<RecencyList<Value>>
    private let configuration: Configuration
    private let now: @Sendable () -> Duration
    private let date: @Sendable () -> Date

    /// Makes an empty storage; `now` is time since any fixed moment, `date` serves expirations that name one.
    public init(
        configuration: Configuration = Configuration(), now: @escaping @Sendable () -> Duration = MonotonicTime.now,
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configuration = configuration
        self.now = now
        self.date = date
        state = Mutex(RecencyList())
    }

    /// Keeps a value in the place of an earlier one; one larger than its share of the limit is not kept.
    ///
    /// Answers whether it was.
    ///
    /// `expiration`, the storage's own when nil, may be `.expired`: nothing is stored.
    @discardableResult
    public func store(
        _ value: Value, forKey key: String, cost: Int, expiration: StorageExpiration? = nil
    ) -> Bool {
        guard expiration?.isExpired != true,
            Double(cost) <= Double(configuration.totalCostLimit) * configuration.entryShare
        else {
            removeValue(forKey: key)
            return false
        }
        let (moment, life) = (now(), expiration.map(lifetime) ?? configuration.expiration)
        state.withLock {
            $0.insert(value, forKey: key, cost: max(0, cost), life: life, now: moment)
            $0.trim(to: configuration.totalCostLimit)
        }
        return true
    }

    /// The value, unless it is missing or expired; a hit renews its life unless `extending` says otherwise.
    public func value(forKey key: String, extending: ExpirationExtending = .cacheTime) -> Value? {
        let moment = now()
        return state.withLock { list in
            switch extending {
            case .none: list.touch(key, now: moment)
            case .cacheTime: list.touch(key, now: moment) { $0 }
            case .expirationTime(let expiration): list.touch(key, now: moment) { _ in self.lifetime(expiration) }
            }
        }
    }

    /// How long an expiration is from now; nil is for ever.
    private func lifetime(_ expiration: StorageExpiration) -> Duration? {
        let date = date()
        return expiration.date(from: date).map { .seconds($0.timeIntervalSince(date)) }
    }

    public func isCached(forKey key: String) -> Bool {
        let moment = now()
        return state.withLock { $0.holds(key, now: moment) }
    }

    public func removeValue(forKey key: String) { state.withLock { $0.remove(key) } }

    /// Removes the values whose keys pass the test.
    public func removeValues(where isMeant: @Sendable (String) -> Bool) {
        state.withLock { $0.remove(where: isMeant) }
    }

    public func removeAll() { state.withLock { $0 = RecencyList() } }

    /// Lets go of every expired entry.
    public func removeExpired() {
        let moment = now()
        state.withLock { $0.removeExpired(now: moment) }
    }

    public var totalCost: Int { state.withLock { $0.totalCost } }
    public var count: Int { state.withLock { $0.count } }
    public var totalCostLimit: Int { configuration.totalCostLimit }
}

/// Time that never goes backwards.
public enum MonotonicTime {
    private static let start = ContinuousClock.now

    /// Time since the first use.
    @Sendable public static func now() -> Duration { start.duration(to: ContinuousClock.now) }
}
