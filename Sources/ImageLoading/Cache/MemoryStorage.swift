import AlcedoSupport
import FoundationEssentials
import Synchronization

/// The memory tier, which removes the least recently used entries when it exceeds a limit.
///
/// A store or look-up takes O(1) time and waits only for a short lock, so a hit needs no `await`. Expired entries are
/// misses at once. After a clean interval they are removed, in O(entries).
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
            (self.entryShare, self.expiration, self.cleanInterval) = (entryShare, expiration, cleanInterval)
        }
    }

    private struct State: Sendable {
        var configuration: Configuration
        var list = RecencyList<Value>()
        /// The time at which expired entries were last removed.
        var cleaned: Duration
        var isCleaningPlanned = false
    }

    /// The limits and lifetimes; a change removes what exceeds the new limits.
    public var configuration: Configuration {
        get { state.withLock(\.configuration) }
        set {
            state.withLock { $0.configuration = newValue }
            withList { list, _, removals in self.trim(&list, &removals, newValue) }
        }
    }
    let evictions = Broadcast<CacheEviction>()
    private let state: Mutex<State>
    /// The number of hits since the last call of `takeHits()`.
    private let hits = Atomic<Int>(0)
    private let now: @Sendable () -> Duration
    private let date: @Sendable () -> Date
    private let rest: @Sendable (Duration) async throws -> Void

    /// Creates an empty storage.
    ///
    /// - Parameter now: Returns the time since any fixed moment.
    /// - Parameter date: Returns the current date, for expirations at a date.
    /// - Parameter rest: Waits for a clean interval.
    public init(
        configuration: Configuration = Configuration(), now: @escaping @Sendable () -> Duration = RunClock.system.now,
        date: @escaping @Sendable () -> Date = { Date() },
        rest: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.now, self.date, self.rest) = (now, date, rest)
        state = Mutex(State(configuration: configuration, cleaned: now()))
    }

    /// Stores a value and replaces an earlier one; a value above its share of the cost limit is not stored.
    ///
    /// - Parameter expiration: The expiration; the storage's own if nil. `.expired` stores nothing.
    /// - Returns: Whether the value was stored.
    @discardableResult
    public func store(
        _ value: Value, forKey key: String, cost: Int, expiration: StorageExpiration? = nil
    ) -> Bool {
        let configuration = configuration
        guard expiration?.isExpired != true,
            Double(cost) <= Double(configuration.totalCostLimit) * configuration.entryShare
        else {
            removeValue(forKey: key)
            return false
        }
        let expiration = expiration ?? configuration.expiration
        withList { list, moment, removals in
            let life = life(expiration, now: moment)
            if list.insert(value, forKey: key, cost: max(0, cost), life: life, now: moment) {
                removals.add(key, .replaced)
            }
            trim(&list, &removals, configuration)
        }
        if case .never = expiration {} else { planCleaning() }
        return true
    }

    /// Removes expired entries after each clean interval, of at least a second, until the storage is empty.
    private func planCleaning() {
        let interval = state.withLock { state -> Duration? in
            guard !state.isCleaningPlanned, state.list.count > 0 else { return nil }
            state.isCleaningPlanned = true
            return max(state.configuration.cleanInterval, .seconds(1))
        }
        guard let interval else { return }
        Task { [weak self, rest] in
            try? await rest(interval)
            self?.state.withLock { $0.isCleaningPlanned = false }
            self?.removeExpired()
            self?.planCleaning()
        }
    }

    /// Returns the value, or nil if it is missing or expired; a hit renews its life unless `extending` says otherwise.
    public func value(forKey key: String, extending: ExpirationExtending = .cacheTime) -> Value? {
        withList { list, moment, removals in
            let lookUp =
                switch extending {
                case .none: list.touch(key, now: moment)
                case .cacheTime: list.touch(key, now: moment) { $0 }
                case .expirationTime(let expiration):
                    list.touch(key, now: moment) { _ in self.life(expiration, now: moment) }
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
    package func removeValues(where isMeant: @Sendable (String) -> Bool) -> Int {
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
    package var totalCostLimit: Int { configuration.totalCostLimit }
}

extension MemoryStorage {
    /// The evictions of one operation, recorded only if there is a listener.
    private struct Removals {
        let areObserved: Bool
        var evictions: [CacheEviction] = []

        mutating func add(_ key: String, _ reason: EvictionReason) {
            if areObserved { evictions.append(CacheEviction(memoryKey: key, reason: reason)) }
        }
    }

    private func withList<Result>(
        _ body: (inout RecencyList<Value>, Duration, inout Removals) -> Result
    ) -> Result {
        let moment = now()
        var removals = Removals(areObserved: !evictions.isEmpty)
        let result = state.withLock { state in
            if moment - state.cleaned >= state.configuration.cleanInterval {
                state.cleaned = moment
                for key in state.list.removeExpired(now: moment) { removals.add(key, .expired) }
            }
            return body(&state.list, moment, &removals)
        }
        for eviction in removals.evictions { evictions.send(eviction) }
        return result
    }

    private func trim(
        _ list: inout RecencyList<Value>, _ removals: inout Removals, _ configuration: Configuration
    ) {
        while list.totalCost > configuration.totalCostLimit, let key = list.removeOldest() {
            removals.add(key, .costLimit)
        }
        guard configuration.countLimit > 0 else { return }
        while list.count > configuration.countLimit, let key = list.removeOldest() { removals.add(key, .countLimit) }
    }

    /// Returns the life of an entry that is stored or used now; times are at most about 300 years ahead.
    private func life(_ expiration: StorageExpiration, now: Duration) -> EntryLife {
        let date = date()
        guard let end = expiration.date(from: date) else { return .endless }
        let time = Duration.seconds(min(max(0, end.timeIntervalSince(date)), 1e10))
        if case .date = expiration { return .until(now + time) }
        return .after(time)
    }
}

/// The life of a memory entry.
enum EntryLife: Sendable {
    case endless
    /// The time after each use.
    case after(Duration)
    /// The end, which a use does not change.
    case until(Duration)

    /// Returns the end of a life that starts or restarts now; nil for none.
    func deadline(from now: Duration) -> Duration? {
        switch self {
        case .endless: nil
        case .after(let time): now + time
        case .until(let end): end
        }
    }
}

/// A dictionary with its entries in order of use, as a doubly linked list over indexes.
struct RecencyList<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: String
        let value: Value
        let cost: Int
        let life: EntryLife
        /// The end of the life at present; nil means no expiration.
        var deadline: Duration?
    }

    private struct Link: Sendable {
        var newer: Int?
        var older: Int?
    }

    /// The result of a look-up.
    enum LookUp {
        case found(Value)
        /// The entry had expired and was removed.
        case expired
        case missing
    }

    private var indexes: [String: Int] = [:]
    private var entries: [Entry?] = []
    private var links: [Link] = []
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    private(set) var totalCost = 0

    var count: Int { indexes.count }

    /// Stores a value; returns whether it replaced an earlier entry.
    @discardableResult
    mutating func insert(_ value: Value, forKey key: String, cost: Int, life: EntryLife, now: Duration) -> Bool {
        let isReplacement = remove(key)
        let index = place(Entry(key: key, value: value, cost: cost, life: life, deadline: life.deadline(from: now)))
        indexes[key] = index
        totalCost += cost
        linkAsNewest(index)
        return isReplacement
    }

    /// Returns the value and makes it the newest; removes an expired one.
    ///
    /// - Parameter renew: Returns the life that restarts from the stored one; if it is nil, the deadline stays.
    mutating func touch(_ key: String, now: Duration, renew: ((EntryLife) -> EntryLife)? = nil) -> LookUp {
        guard let index = indexes[key] else { return .missing }
        guard isAlive(index, now: now) else {
            remove(key)
            return .expired
        }
        if newest != index {
            unlink(index)
            linkAsNewest(index)
        }
        if let renew, let life = entries[index]?.life {
            entries[index]?.deadline = renew(life).deadline(from: now)
        }
        return entries[index].map { .found($0.value) } ?? .missing
    }

    func holds(_ key: String, now: Duration) -> Bool {
        indexes[key].map { isAlive($0, now: now) } ?? false
    }

    /// Removes an entry; returns whether it existed.
    @discardableResult
    mutating func remove(_ key: String) -> Bool {
        guard let index = indexes.removeValue(forKey: key) else { return false }
        unlink(index)
        totalCost -= entries[index]?.cost ?? 0
        entries[index] = nil
        free.append(index)
        return true
    }

    /// Removes the entries whose keys pass the test; returns the removed keys.
    ///
    /// Complexity: O(entries).
    mutating func remove(where isMeant: @Sendable (String) -> Bool) -> [String] {
        let meant = indexes.keys.filter(isMeant)
        for key in meant { remove(key) }
        return meant
    }

    /// Removes the least recently used entry; returns its key.
    mutating func removeOldest() -> String? {
        guard let index = oldest, let key = entries[index]?.key else { return nil }
        remove(key)
        return key
    }

    /// Removes the expired entries; returns their keys.
    ///
    /// Complexity: O(entries).
    mutating func removeExpired(now: Duration) -> [String] {
        let expired = indexes.filter { !isAlive($0.value, now: now) }.map(\.key)
        for key in expired { remove(key) }
        return expired
    }

    private func isAlive(_ index: Int, now: Duration) -> Bool {
        entries[index]?.deadline.map { $0 > now } ?? true
    }

    private mutating func place(_ entry: Entry) -> Int {
        if let index = free.popLast() {
            entries[index] = entry
            return index
        }
        entries.append(entry)
        links.append(Link())
        return entries.count - 1
    }

    private mutating func linkAsNewest(_ index: Int) {
        links[index] = Link(newer: nil, older: newest)
        if let newest { links[newest].newer = index }
        newest = index
        if oldest == nil { oldest = index }
    }

    private mutating func unlink(_ index: Int) {
        let link = links[index]
        if let newer = link.newer { links[newer].older = link.older } else { newest = link.older }
        if let older = link.older { links[older].newer = link.newer } else { oldest = link.newer }
    }
}

/// The memory that this process may use, from the kernel's files: proc(5), cgroups(7).
@usableFromInline
package enum SystemMemory {
    /// The default cost limit of the memory tier, in bytes: 256 MiB, or an eighth of the usable memory if that is less.
    ///
    /// The value is computed once.
    @usableFromInline package static let standardCostLimit = costLimit {
        try? String(contentsOfFile: $0, encoding: .utf8)
    }

    /// Returns the cost limit in bytes; `file` returns the text of a file, or nil if it cannot be read.
    static func costLimit(reading file: (String) -> String?) -> Int {
        min(256 << 20, (usable(reading: file) ?? .max) / 8)
    }

    /// Returns the least of the machine's memory and the control groups' limits, in bytes; nil if none is known.
    static func usable(reading file: (String) -> String?) -> Int? {
        let groups = groupFolders(file("/proc/self/cgroup") ?? "").compactMap { file($0).flatMap(number) }
        return ([file("/proc/meminfo").flatMap(total)].compactMap(\.self) + groups).min()
    }

    /// Parses the line `MemTotal:       24684092 kB`, where a kB is 1,024 bytes; returns bytes.
    private static func total(meminfo: String) -> Int? {
        let line = meminfo.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ number(String($0)) }) else {
            return nil
        }
        let (bytes, isTooMany) = kibibytes.multipliedReportingOverflow(by: 1024)
        return isTooMany ? nil : bytes
    }

    /// Returns the limit files of all groups that contain the process.
    ///
    /// Lines look like `0::/user/app` (version 2) and `4:memory:/app` (version 1). A group's limit also applies to the
    /// groups below it. In a container the path may be the host's, while the container's own group is the visible root;
    /// the root is therefore included.
    private static func groupFolders(_ membership: String) -> [String] {
        membership.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            if fields[1].isEmpty { return ancestors(fields[2]).map { "/sys/fs/cgroup\($0)/memory.max" } }
            guard fields[1].split(separator: ",").contains("memory") else { return [] }
            return ancestors(fields[2]).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
        }
    }

    /// Returns a path and its parents, `/a/b`, `/a` and the root, which is empty.
    private static func ancestors(_ path: Substring) -> [String] {
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else { return [""] }
        return (0...parts.count).reversed().map { parts.prefix($0).map { "/\($0)" }.joined() }
    }

    /// Parses a number of bytes; returns nil for other text, such as `max`.
    private static func number(_ text: String) -> Int? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? Int(words[0]).flatMap { $0 < 0 ? nil : $0 } : nil
    }
}
