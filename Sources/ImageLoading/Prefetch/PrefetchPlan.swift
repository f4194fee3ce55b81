import DequeModule
import Synchronization

/// The order of prefetching: by priority, then by backlog order, within a total limit and a limit per host.
///
/// Each host has its own queue. Items of a busy, parked or failing host are therefore skipped at no cost and never
/// block the items of other hosts. An item that waits for its next attempt, or for its host, rests: it frees its slot
/// until it continues. An item also rests while its received bytes are stored, so that the connection to the host stays
/// busy.
///
/// While several items of a host wait for their next attempt, or the host accepts no requests, its other items start in
/// random order: in a list with many broken addresses in a row, the next ones would fail, too, and the host would
/// appear to be out of order.
struct PrefetchPlan: Sendable {
    struct Entry: Sendable, Equatable {
        let id: Int
        let host: String
        var priority = 0.5
    }

    /// The position of an item in the backlog.
    private struct Place {
        let id: Int
        let order: Int
        let priority: Double

        static func < (left: Place, right: Place) -> Bool {
            left.priority == right.priority ? left.order < right.order : left.priority > right.priority
        }
    }

    /// The reason why an item rests.
    enum Rest: Sendable, Equatable {
        /// The item failed and is tried again later.
        case retry
        /// The item's host accepts no requests now; only one other item of the host starts until this one continues.
        case host
        /// The bytes are complete and are being stored.
        ///
        /// As many items as may run can be in this state, regardless of their size. Up to four times as many can be in
        /// it while their bytes are at most 16 MiB in total, because storing many small files at a time is faster.
        case keeping(byteCount: Int)
    }

    private struct Line {
        /// The waiting items in the order of their start.
        var entries: Deque<Place> = []
        var runningCount = 0
        /// The number of items that rest because of this host.
        var restingCount = 0
        /// The number of items that wait for their next attempt.
        var retryingCount = 0
        /// The item that started although others rest because of this host.
        ///
        /// It tests the host as well, because the resting items may all have broken addresses.
        var scout: Int?

        var isBlocked: Bool { restingCount > 0 }

        var isIdle: Bool { entries.isEmpty && runningCount == 0 && restingCount == 0 && retryingCount == 0 }

        /// Removes and returns the next item to start.
        mutating func removeNext(using random: inout some RandomNumberGenerator) -> Place? {
            guard retryingCount > 1 || isBlocked, let first = entries.first else { return entries.popFirst() }
            let index = entries.indices.randomElement(using: &random) ?? 0
            return entries.remove(at: entries[index].priority == first.priority ? index : 0)
        }

        mutating func count(_ rest: Rest, _ change: Int) {
            switch rest {
            case .host: restingCount += change
            case .retry: retryingCount += change
            case .keeping: break
            }
        }

        /// Inserts a waiting item by priority: O(1) at the end, the usual case, otherwise a search in O(log n).
        mutating func insert(_ place: Place) {
            guard let last = entries.last, place < last else { return entries.append(place) }
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if place < entries[middle] { high = middle } else { low = middle + 1 }
            }
            entries.insert(place, at: low)
        }
    }

    private let limit: Int
    private let limitPerHost: Int
    private var lines: [String: Line] = [:]
    /// The hosts with a waiting item that may start now; only a few, however long the list is.
    private var openHosts: Set<String> = []
    private var running: [Int: String] = [:]
    private var resting: [Int: (host: String, rest: Rest)] = [:]
    private var lastOrder = 0
    /// The number of items that wait for a slot; items of hosts that accept no requests are in `blockedCount`.
    private(set) var waitingCount = 0
    private(set) var blockedCount = 0
    private var keepingCount = 0
    private var keptBytes = 0
    private static let keptBytesLimit = 16 << 20
    private var random: any RandomNumberGenerator & Sendable
    var isPaused = false

    init(
        limit: Int, limitPerHost: Int,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.random = random
        self.limit = max(1, limit)
        self.limitPerHost = max(1, limitPerHost)
    }

    var isIdle: Bool { waitingCount == 0 && blockedCount == 0 && running.isEmpty && resting.isEmpty }

    mutating func add(_ entry: Entry) {
        lastOrder += 1
        let priority = entry.priority.isNaN ? 0.5 : entry.priority
        let place = Place(id: entry.id, order: lastOrder, priority: priority)
        change(entry.host) { $0.insert(place) }
    }

    /// Moves a waiting item to the end of another priority; does nothing if the item does not wait.
    mutating func setPriority(_ priority: Double, of id: Int) {
        guard let host = host(ofWaiting: id), drop(id) else { return }
        add(Entry(id: id, host: host, priority: priority))
    }

    private func host(ofWaiting id: Int) -> String? {
        lines.first { $0.value.entries.contains { $0.id == id } }?.key
    }

    /// Replaces the backlog; running and resting items continue and are not added again.
    mutating func replaceBacklog(with entries: [Entry]) {
        _ = dropAll()
        var known = Set(running.keys).union(resting.keys)
        for entry in entries where known.insert(entry.id).inserted { add(entry) }
    }

    /// Removes and returns all items that may start now.
    mutating func next() -> [Int] {
        var chosen: [Int] = []
        while !isPaused, running.count < limit, let host = nextHost {
            var generator = random
            change(host) { line in
                line.runningCount += 1
                guard let id = line.removeNext(using: &generator)?.id else { return }
                if line.isBlocked { line.scout = id }
                chosen.append(id)
            }
            random = generator
            if let id = chosen.last { running[id] = host }
        }
        return chosen
    }

    /// Starts an item beyond the limits; returns false if it is active or if twice the limit of items runs.
    mutating func begin(_ entry: Entry) -> Bool {
        guard running[entry.id] == nil, resting[entry.id] == nil, running.count < 2 * limit else { return false }
        _ = drop(entry.id)
        running[entry.id] = entry.host
        change(entry.host) { $0.runningCount += 1 }
        return true
    }

    /// The host with a free slot whose first item comes before the items of all other hosts.
    private var nextHost: String? {
        openHosts.lazy
            .compactMap { host in
                lines[host].flatMap { line in
                    line.runningCount < limitPerHost ? line.entries.first.map { (host: host, place: $0) } : nil
                }
            }
            .min { $0.place < $1.place }?.host
    }

    /// Marks a running item as resting and frees its slot.
    mutating func rest(_ id: Int, _ rest: Rest) {
        if resting[id] != nil { resume(id) }
        if case .keeping(let byteCount) = rest, !mayKeep(byteCount) { return }
        guard let host = running.removeValue(forKey: id) else { return }
        resting[id] = (host, rest)
        countKeeping(rest, +1)
        change(host) { line in
            line.runningCount -= 1
            line.count(rest, +1)
            if rest != .host, line.scout == id { line.scout = nil }
        }
    }

    /// The items that wait for another attempt or for their host.
    var restingElsewhere: [Int] {
        resting.filter { if case .keeping = $0.value.rest { false } else { true } }.map(\.key)
    }

    /// Marks a resting item as running again, even if its slot is in use.
    mutating func resume(_ id: Int) {
        guard let (host, rest) = resting.removeValue(forKey: id) else { return }
        running[id] = host
        countKeeping(rest, -1)
        change(host) { line in
            line.runningCount += 1
            line.count(rest, -1)
        }
    }

    private func mayKeep(_ byteCount: Int) -> Bool {
        keepingCount < limit || keepingCount < 4 * limit && keptBytes + byteCount <= Self.keptBytesLimit
    }

    private mutating func countKeeping(_ rest: Rest, _ sign: Int) {
        guard case .keeping(let byteCount) = rest else { return }
        keepingCount += sign
        keptBytes += sign * byteCount
    }

    /// Removes an item that finished or failed.
    mutating func finish(_ id: Int) {
        resume(id)
        guard let host = running.removeValue(forKey: id) else { return }
        change(host) { line in
            line.runningCount -= 1
            if line.scout == id { line.scout = nil }
        }
    }

    /// Removes a waiting item; returns whether it was waiting.
    mutating func drop(_ id: Int) -> Bool {
        for (host, line) in lines {
            guard let index = line.entries.firstIndex(where: { $0.id == id }) else { continue }
            change(host) { $0.entries.remove(at: index) }
            return true
        }
        return false
    }

    /// Empties the backlog; returns its items in order.
    mutating func dropAll() -> [Int] {
        let dropped = lines.values.flatMap(\.entries).sorted { $0 < $1 }.map(\.id)
        for host in Array(lines.keys) { change(host) { $0.entries = [] } }
        return dropped
    }

    /// Changes a host's queue and updates the counts.
    private mutating func change(_ host: String, _ body: (inout Line) -> Void) {
        // The queue is removed from the dictionary first, so that its entries are not copied.
        var line = lines.removeValue(forKey: host) ?? Line()
        count(line, -1)
        body(&line)
        count(line, +1)
        if !line.isIdle { lines[host] = line }
        let mayStart = !line.isBlocked || line.scout == nil
        if line.entries.isEmpty || !mayStart { openHosts.remove(host) } else { openHosts.insert(host) }
    }

    private mutating func count(_ line: Line, _ sign: Int) {
        if line.isBlocked {
            blockedCount += sign * line.entries.count
        } else {
            waitingCount += sign * line.entries.count
        }
    }
}

/// The new items of a prefetcher, which are looked up in the cache in batches before they enter the plan.
struct PrefetchLookAhead: Sendable {
    /// The largest number of items in one look-up, which takes about half a millisecond.
    static let limit = 64

    private var queue: Deque<Int> = []
    /// All items without a result of a look-up, including those of the running look-up.
    private var pending: Set<Int> = []

    /// The number of items without a result.
    var count: Int { pending.count }

    mutating func add(_ id: Int) {
        if pending.insert(id).inserted { queue.append(id) }
    }

    /// Returns the next items to look up, in order of arrival; they stay pending until they are removed.
    mutating func nextBatch() -> [Int] {
        var batch: [Int] = []
        while batch.count < Self.limit, let id = queue.popFirst() {
            if pending.contains(id) { batch.append(id) }
        }
        return batch
    }

    /// Removes a pending item; returns false if it was not pending.
    mutating func remove(_ id: Int) -> Bool { pending.remove(id) != nil }

    /// Removes all pending items; returns them sorted by id.
    mutating func removeAll() -> [Int] {
        defer { (queue, pending) = ([], []) }
        return pending.sorted()
    }
}

/// The state changes of running items, in order, until the plan applies them.
///
/// Recording a step does not wait for the prefetcher's actor.
final class PrefetchSteps: Sendable {
    enum Step: Sendable {
        case rests(Int, PrefetchPlan.Rest)
        case resumes(Int)
    }

    private struct State {
        var steps: [Step] = []
        /// The resting items, according to the recorded steps.
        var resting: Set<Int> = []
        /// Whether a task is scheduled to apply the steps.
        var hasTask = false
    }

    private let state = Mutex(State())

    /// The outcome of recording a step.
    struct Outcome {
        /// Whether the plan needs the step.
        ///
        /// An item that continues without having rested, the usual case, changes nothing.
        let isNeeded: Bool
        /// Whether the caller must schedule a task that applies the steps.
        let needsTask: Bool
    }

    /// Records a step.
    func record(_ step: Step) -> Outcome {
        state.withLock { state in
            switch step {
            case .rests(let id, _): state.resting.insert(id)
            case .resumes(let id):
                if state.resting.remove(id) == nil { return Outcome(isNeeded: false, needsTask: false) }
            }
            state.steps.append(step)
            defer { state.hasTask = true }
            return Outcome(isNeeded: true, needsTask: !state.hasTask)
        }
    }

    /// Discards the state of an item that is done.
    func forget(_ id: Int) { state.withLock { _ = $0.resting.remove(id) } }

    /// Removes and returns the recorded steps.
    func removeAll() -> [Step] {
        state.withLock { state in
            defer { (state.steps, state.hasTask) = ([], false) }
            return state.steps
        }
    }
}
