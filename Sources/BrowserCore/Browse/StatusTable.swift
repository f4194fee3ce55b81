/// The status of every item in nine bytes; only running and failed items take more.
struct StatusTable: Sendable, Equatable {
    enum Kind: UInt8, CaseIterable {
        case waiting, connecting, loading, onDisk, inMemory, retrying, parked, failed, duplicate

        /// Whether there is nothing more to load for the item.
        var isDone: Bool {
            switch self {
            case .onDisk, .inMemory, .failed, .duplicate: true
            case .waiting, .connecting, .loading, .retrying, .parked: false
            }
        }
    }

    private struct Active: Sendable, Equatable {
        let status: ItemStatus
        let since: Int
    }

    private var kinds: [Kind] = []
    /// The bytes of a cached item, the index of a duplicate's original.
    private var values: [Int] = []
    private var active: [Int: Active] = [:]
    private var failures: [Int: String] = [:]
    /// Failed items, the latest last.
    private(set) var failed: [Int] = []
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)

    var count: Int { kinds.count }
    var hasActive: Bool { !active.isEmpty }

    func count(of kind: Kind) -> Int { counts[Int(kind.rawValue)] }

    /// The number of items that are not done.
    var pendingCount: Int { Kind.allCases.reduce(0) { $1.isDone ? $0 : $0 + count(of: $1) } }

    func kind(of index: Int) -> Kind { kinds[index] }

    /// Running items by index.
    ///
    /// Complexity: O(n log n) in them.
    var activeItems: [Int] { active.keys.sorted() }

    /// The bytes per second of all transfers.
    var rate: Int {
        active.values.reduce(0) { sum, entry in
            guard case .loading(_, _, let rate?) = entry.status else { return sum }
            let (total, overflow) = sum.addingReportingOverflow(max(0, rate))
            return overflow ? .max : total
        }
    }

    /// Returns the bytes of a cached item; nil for others.
    func bytes(of index: Int) -> Int? {
        kinds[index] == .onDisk || kinds[index] == .inMemory ? values[index] : nil
    }

    /// Returns the status of an item, with seconds counted down to `now`.
    func status(of index: Int, at now: Int) -> ItemStatus {
        switch kinds[index] {
        case .waiting: .waiting
        case .onDisk: .onDisk(bytes: values[index])
        case .inMemory: .inMemory(bytes: values[index])
        case .duplicate: .duplicate(of: ItemID(values[index]))
        case .failed: .failed(reason: failures[index] ?? "")
        case .connecting, .loading, .retrying, .parked:
            active[index].map { $0.status.counted(down: (now - $0.since) / 1000) } ?? .waiting
        }
    }

    mutating func append(_ added: Int) {
        kinds += repeatElement(.waiting, count: added)
        values += repeatElement(0, count: added)
        counts[Int(Kind.waiting.rawValue)] += added
    }

    mutating func set(_ index: Int, _ status: ItemStatus, at now: Int) {
        let kind = status.kind
        removeOldStatus(index, for: kind)
        counts[Int(kinds[index].rawValue)] -= 1
        counts[Int(kind.rawValue)] += 1
        kinds[index] = kind
        switch status {
        case .waiting: break
        case .onDisk(let bytes), .inMemory(let bytes): values[index] = max(0, bytes)
        case .duplicate(let other): values[index] = other.rawValue
        case .failed(let reason): fail(index, reason)
        case .connecting, .loading, .retrying, .parked: active[index] = Active(status: status, since: now)
        }
    }

    /// Sets every failed item back to waiting and returns them.
    mutating func resetFailures() -> [Int] {
        defer { failed = [] }
        for index in failed { kinds[index] = .waiting }
        counts[Int(Kind.waiting.rawValue)] += failed.count
        counts[Int(Kind.failed.rawValue)] = 0
        failures = [:]
        return failed
    }

    private mutating func fail(_ index: Int, _ reason: String) {
        if failures.updateValue(reason, forKey: index) == nil { failed.append(index) }
    }

    private mutating func removeOldStatus(_ index: Int, for kind: Kind) {
        active[index] = nil
        guard kinds[index] == .failed, kind != .failed else { return }
        failures[index] = nil
        failed.removeAll { $0 == index }
    }
}

extension ItemStatus {
    var kind: StatusTable.Kind {
        switch self {
        case .waiting: .waiting
        case .connecting: .connecting
        case .loading: .loading
        case .onDisk: .onDisk
        case .inMemory: .inMemory
        case .retrying: .retrying
        case .parked: .parked
        case .failed: .failed
        case .duplicate: .duplicate
        }
    }

    /// Returns the status with the waiting time reduced.
    fileprivate func counted(down elapsed: Int) -> ItemStatus {
        switch self {
        case .retrying(let attempt, let count, let seconds, let reason):
            .retrying(attempt: attempt, of: count, seconds: max(0, max(0, seconds) - elapsed), reason: reason)
        case .parked(let seconds, let reason, let answer):
            .parked(seconds: max(0, max(0, seconds) - elapsed), reason: reason, answer: answer)
        default: self
        }
    }
}
