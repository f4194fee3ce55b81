import Foundation
import Support
import Synchronization

/// The memory tier, which removes the least recently used entries when it exceeds a limit.
///
/// A store or look-up takes O(1) time and waits only for a short lock, so a hit needs no `await`. Expired entries are
/// misses at once. The first store or look-up after a clean interval removes them, in O(entries).
public final class MemoryStorage<Value: Sendable>: Sendable {
    /// The limits and lifetimes of the tier.
    public struct Configuration: Sendable {
        /// The limit of the total cost, in bytes.
        ///
        /// By default 256 MiB, or an eighth of the usable memory if that is less.
        public var totalCostLimit: Int
        /// The limit of the number of entries; 0, the default, means no limit.
        public var countLimit: Int
        /// The largest share of the cost limit that one entry may have; a tenth by default.
        public var entryShare: Double
        /// The lifetime of entries, 300 s by default; reading an entry restarts it.
        public var expiration: StorageExpiration
        /// The time after which a store or look-up removes expired entries; 120 s by default.
        public var cleanInterval: Duration

        /// Creates a configuration; negative limits become 0.
        public init(
            totalCostLimit: Int = SystemMemory.standardCostLimit, countLimit: Int = 0, entryShare: Double = 0.1,
            expiration: StorageExpiration = .seconds(300), cleanInterval: Duration = .seconds(120)
        ) {
            self.totalCostLimit = max(0, totalCostLimit)
            self.countLimit = max(0, countLimit)
            self.entryShare = entryShare
            self.expiration = expiration
            self.cleanInterval = cleanInterval
        }
    }

    private struct State: Sendable {
        var list = RecencyList<Value>()
        /// The time at which expired entries were last removed.
        var cleaned: Duration
    }

    /// The configuration that was passed to the initializer.
    public let configuration: Configuration
    let evictions = Broadcast<CacheEviction>()
    private let state: Mutex<State>
    /// The number of hits since the last call of `takeHits()`.
    private let hits = Atomic<Int>(0)
    private let now: @Sendable () -> Duration
    private let date: @Sendable () -> Date

    /// Creates an empty storage.
    ///
    /// - Parameter now: Returns the time since any fixed moment.
    /// - Parameter date: Returns the current date, for expirations at a date.
    public init(
        configuration: Configuration = Configuration(), now: @escaping @Sendable () -> Duration = MonotonicTime.now,
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configuration = configuration
        self.now = now
        self.date = date
        state = Mutex(State(cleaned: now()))
    }

    /// Stores a value and replaces an earlier one; a value above its share of the cost limit is not stored.
    ///
    /// - Parameter expiration: The expiration; the storage's own if nil. `.expired` stores nothing.
    /// - Returns: Whether the value was stored.
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
        let life = lifetime(expiration ?? configuration.expiration)
        withList { list, moment, removals in
            if list.insert(value, forKey: key, cost: max(0, cost), life: life, now: moment) {
                removals.add(key, .replaced)
            }
            trim(&list, &removals)
        }
        return true
    }

    /// Returns the value, or nil if it is missing or expired; a hit renews its life unless `extending` says otherwise.
    public func value(forKey key: String, extending: ExpirationExtending = .cacheTime) -> Value? {
        withList { list, moment, removals in
            let lookUp =
                switch extending {
                case .none: list.touch(key, now: moment)
                case .cacheTime: list.touch(key, now: moment) { $0 }
                case .expirationTime(let expiration): list.touch(key, now: moment) { _ in self.lifetime(expiration) }
                }
            switch lookUp {
            case .found(let value):
                hits.add(1, ordering: .relaxed)
                return value
            case .missing: return nil
            case .expired:
                removals.add(key, .expired)
                return nil
            }
        }
    }

    /// Returns whether a look-up would find the key; does not count as a use.
    public func isCached(forKey key: String) -> Bool {
        withList { list, moment, _ in list.holds(key, now: moment) }
    }

    /// Removes one value; does nothing for an unknown key.
    public func removeValue(forKey key: String) {
        withList { list, _, removals in
            if list.remove(key) { removals.add(key, .removed) }
        }
    }

    /// Removes the values whose keys pass the test; returns their number.
    ///
    /// Complexity: O(entries).
    @discardableResult
    public func removeValues(where isMeant: @Sendable (String) -> Bool) -> Int {
        withList { list, _, removals in
            let removed = list.remove(where: isMeant)
            for key in removed { removals.add(key, .removed) }
            return removed.count
        }
    }

    /// Removes all values.
    public func removeAll() {
        let hadEntries = state.withLock { state in
            defer { state.list = RecencyList() }
            return state.list.count > 0
        }
        if hadEntries { evictions.send(CacheEviction(tier: .memory, key: nil, reason: .cleared)) }
    }

    /// Removes every expired entry; returns their number.
    @discardableResult
    public func removeExpired() -> Int {
        withList { list, moment, removals in
            let expired = list.removeExpired(now: moment)
            for key in expired { removals.add(key, .expired) }
            return expired.count
        }
    }

    /// Returns the number of hits since the last call and resets it.
    func takeHits() -> Int { hits.exchange(0, ordering: .relaxed) }

    /// The total cost, in bytes; expired entries count until they are removed.
    public var totalCost: Int { state.withLock { $0.list.totalCost } }
    /// The number of entries; expired ones count until they are removed.
    public var count: Int { state.withLock { $0.list.count } }
    /// The configuration's cost limit, in bytes.
    public var totalCostLimit: Int { configuration.totalCostLimit }
}

extension MemoryStorage {
    /// The evictions of one operation, recorded only if there is a listener.
    private struct Removals {
        let areHeard: Bool
        var evictions: [CacheEviction] = []

        mutating func add(_ key: String, _ reason: CacheEviction.Reason) {
            if areHeard { evictions.append(CacheEviction(memoryKey: key, reason: reason)) }
        }
    }

    private func withList<Result>(
        _ body: (inout RecencyList<Value>, Duration, inout Removals) -> Result
    ) -> Result {
        let moment = now()
        var removals = Removals(areHeard: !evictions.isEmpty)
        let result = state.withLock { state in
            if moment - state.cleaned >= configuration.cleanInterval {
                state.cleaned = moment
                for key in state.list.removeExpired(now: moment) { removals.add(key, .expired) }
            }
            return body(&state.list, moment, &removals)
        }
        for eviction in removals.evictions { evictions.send(eviction) }
        return result
    }

    private func trim(_ list: inout RecencyList<Value>, _ removals: inout Removals) {
        while list.totalCost > configuration.totalCostLimit, let key = list.removeOldest() {
            removals.add(key, .costLimit)
        }
        guard configuration.countLimit > 0 else { return }
        while list.count > configuration.countLimit, let key = list.removeOldest() { removals.add(key, .countLimit) }
    }

    /// Returns the time from now to an expiration, at most about 300 years; nil means no expiration.
    private func lifetime(_ expiration: StorageExpiration) -> Duration? {
        let date = date()
        return expiration.date(from: date).map { .seconds(min(max(0, $0.timeIntervalSince(date)), 1e10)) }
    }
}

/// A clock that never goes backwards.
@usableFromInline
package enum MonotonicTime {
    private static let start = ContinuousClock.now

    /// Returns the time since the first use.
    @usableFromInline @Sendable package static func now() -> Duration { start.duration(to: ContinuousClock.now) }
}
