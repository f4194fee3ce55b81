import Foundation
import Support
import Synchronization

/// The memory tier: least recently used entries go first when a limit is passed.
///
/// Every operation takes O(1) time and never waits for anything but a short lock, so a hit needs no `await`. Expired
/// entries are misses at once; the first store or look-up after a clean interval lets go of them, in
/// O(expired + renewed).
public final class MemoryStorage<Value: Sendable>: Sendable {
    /// Limits and lives of the tier.
    public struct Configuration: Sendable {
        /// Sum of costs, in bytes; by default 256 MiB, or an eighth of the memory the process may use where that is
        /// less.
        public var totalCostLimit: Int
        /// How many entries; 0, the default, is no limit.
        public var countLimit: Int
        /// Largest share of the cost limit that one entry may take; a tenth by default.
        public var entryShare: Double
        /// 300 s by default; reading an entry starts its life anew.
        public var expiration: Duration?
        /// How long expired entries may take up memory before a store or look-up lets go of them; 120 s by default.
        public var cleanInterval: Duration

        /// A configuration; negative limits are 0.
        public init(
            totalCostLimit: Int = SystemMemory.standardCostLimit, countLimit: Int = 0, entryShare: Double = 0.1,
            expiration: Duration? = .seconds(300), cleanInterval: Duration = .seconds(120)
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
        /// When expired entries were last let go of.
        var cleaned: Duration
    }

    /// As it was made with.
    public let configuration: Configuration
    let evictions = Broadcast<CacheEviction>()
    private let state: Mutex<State>
    /// Look-ups that found something, since they were last taken.
    private let hits = Atomic<Int>(0)
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
        state = Mutex(State(cleaned: now()))
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
        let life = expiration.map(lifetime) ?? configuration.expiration
        withList { list, moment, removals in
            if list.insert(value, forKey: key, cost: max(0, cost), life: life, now: moment) {
                removals.add(key, .replaced)
            }
            trim(&list, &removals)
        }
        return true
    }

    /// The value, unless it is missing or expired; a hit renews its life unless `extending` says otherwise.
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

    /// Whether a look-up would find the key; no use of it.
    public func isCached(forKey key: String) -> Bool {
        withList { list, moment, _ in list.holds(key, now: moment) }
    }

    /// Lets go of one value; nothing for an unknown key.
    public func removeValue(forKey key: String) {
        withList { list, _, removals in
            if list.remove(key) { removals.add(key, .removed) }
        }
    }

    /// Removes the values whose keys pass the test; answers how many there were.
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

    /// Lets go of everything.
    public func removeAll() {
        let hadEntries = state.withLock { state in
            defer { state.list = RecencyList() }
            return state.list.count > 0
        }
        if hadEntries { evictions.send(CacheEviction(tier: .memory, key: nil, reason: .cleared)) }
    }

    /// Lets go of every expired entry; answers how many there were.
    @discardableResult
    public func removeExpired() -> Int {
        withList { list, moment, removals in
            let expired = list.removeExpired(now: moment)
            for key in expired { removals.add(key, .expired) }
            return expired.count
        }
    }

    /// How many look-ups have found something since this was last asked.
    func takeHits() -> Int { hits.exchange(0, ordering: .relaxed) }

    /// Sum of costs, in bytes; expired entries count until they are let go.
    public var totalCost: Int { state.withLock { $0.list.totalCost } }
    /// How many entries, expired ones included until they are let go.
    public var count: Int { state.withLock { $0.list.count } }
    /// The configuration's, in bytes.
    public var totalCostLimit: Int { configuration.totalCostLimit }
}

extension MemoryStorage {
    /// What went, noted only while somebody listens.
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

    /// How long an expiration is from now, at most some 300 years; nil is for ever.
    private func lifetime(_ expiration: StorageExpiration) -> Duration? {
        let date = date()
        return expiration.date(from: date).map { .seconds(min(max(0, $0.timeIntervalSince(date)), 1e10)) }
    }
}

/// Time that never goes backwards.
public enum MonotonicTime {
    private static let start = ContinuousClock.now

    /// Time since the first use.
    @Sendable public static func now() -> Duration { start.duration(to: ContinuousClock.now) }
}
