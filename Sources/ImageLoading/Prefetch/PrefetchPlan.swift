import DequeModule

/// Which item is prefetched next, purely: by priority, then in the backlog's order, within a limit in all and a host.
///
/// Each host has a line of its own, so that the items of a host that is busy, parked or failing are passed over at no
/// cost and never hold the places of the others. An item that waits for its next attempt, or for its host, rests: it
/// gives its place away until it goes on. So does one whose bytes have come, while they are kept: the line to the host
/// stays busy meanwhile.
struct PrefetchPlan: Sendable {
    struct Entry: Sendable, Equatable {
        let id: Int
        let host: String
        var priority = 0.5
    }

    /// A place in the backlog.
    private struct Place {
        let id: Int
        let order: Int
        let priority: Double

        static func < (left: Place, right: Place) -> Bool {
            left.priority == right.priority ? left.order < right.order : left.priority > right.priority
        }
    }

    /// Why an item rests.
    enum Rest: Sendable, Equatable {
        /// It failed and is tried again later.
        case retry
        /// Its host takes no requests now; until it goes on nothing else of the host starts.
        case host
        /// Its bytes are there and are being kept: of as many items as may run, whatever their bytes, and of up to
        /// four times as many while those are 16 MiB at most, as small ones are best kept many at a time.
        case keeping(byteCount: Int)
    }

    private struct Line {
        /// In the order of their turns.
        var entries: Deque<Place> = []
        var runningCount = 0
        /// How many items rest because of this host.
        var heldCount = 0

        var isIdle: Bool { entries.isEmpty && runningCount == 0 && heldCount == 0 }

        /// Mostly at the end, so that is where its place is looked for first; O(log n) elsewhere.
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
    /// The hosts that have waiting items and take requests; few, however long the list is.
    private var openHosts: Set<String> = []
    private var running: [Int: String] = [:]
    private var resting: [Int: (host: String, rest: Rest)] = [:]
    private var lastOrder = 0
    /// Items that wait for a place, and those that wait for a host that takes no requests.
    private(set) var waitingCount = 0
    private(set) var heldCount = 0
    private var keepingCount = 0
    private var keptBytes = 0
    private static let keptBytesLimit = 16 << 20
    var isPaused = false

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(1, limit)
        self.limitPerHost = max(1, limitPerHost)
    }

    var isIdle: Bool { waitingCount == 0 && heldCount == 0 && running.isEmpty && resting.isEmpty }

    mutating func add(_ entry: Entry) {
        lastOrder += 1
        let priority = entry.priority.isNaN ? 0.5 : entry.priority
        let place = Place(id: entry.id, order: lastOrder, priority: priority)
        change(entry.host) { $0.insert(place) }
    }

    /// Moves a waiting item to the end of another priority; nothing for one that does not wait.
    mutating func setPriority(_ priority: Double, of id: Int) {
        guard let host = host(ofWaiting: id), drop(id) else { return }
        add(Entry(id: id, host: host, priority: priority))
    }

    private func host(ofWaiting id: Int) -> String? {
        lines.first { $0.value.entries.contains { $0.id == id } }?.key
    }

    /// Gives the backlog a new order and content; what runs or rests goes on, and nothing is in it twice.
    mutating func replaceBacklog(with entries: [Entry]) {
        _ = dropAll()
        var known = Set(running.keys).union(resting.keys)
        for entry in entries where known.insert(entry.id).inserted { add(entry) }
    }

    /// Takes every item out that may start now.
    mutating func next() -> [Int] {
        var chosen: [Int] = []
        while !isPaused, running.count < limit, let host = nextHost {
            change(host) { line in
                line.runningCount += 1
                if let id = line.entries.popFirst()?.id { chosen.append(id) }
            }
            if let id = chosen.last { running[id] = host }
        }
        return chosen
    }

    /// Starts an item at once, beyond the limits, but no more than as many again; false where it does not.
    mutating func begin(_ entry: Entry) -> Bool {
        guard running[entry.id] == nil, resting[entry.id] == nil, running.count < 2 * limit else { return false }
        _ = drop(entry.id)
        running[entry.id] = entry.host
        change(entry.host) { $0.runningCount += 1 }
        return true
    }

    /// The host whose first item is first of all, of those that have a free place.
    private var nextHost: String? {
        openHosts.lazy
            .compactMap { host in
                lines[host].flatMap { line in
                    line.runningCount < limitPerHost ? line.entries.first.map { (host: host, place: $0) } : nil
                }
            }
            .min { $0.place < $1.place }?.host
    }

    /// A running item waits for something else than a place.
    mutating func rest(_ id: Int, _ rest: Rest) {
        if resting[id] != nil { wake(id) }
        if case .keeping(let byteCount) = rest, !mayKeep(byteCount) { return }
        guard let host = running.removeValue(forKey: id) else { return }
        resting[id] = (host, rest)
        countKeeping(rest, +1)
        change(host) { line in
            line.runningCount -= 1
            if rest == .host { line.heldCount += 1 }
        }
    }

    /// The items that wait for another attempt, or for their host.
    var restingElsewhere: [Int] {
        resting.filter { if case .keeping = $0.value.rest { false } else { true } }.map(\.key)
    }

    /// A resting item goes on, even where its place is taken by now.
    mutating func wake(_ id: Int) {
        guard let (host, rest) = resting.removeValue(forKey: id) else { return }
        running[id] = host
        countKeeping(rest, -1)
        change(host) { line in
            line.runningCount += 1
            if rest == .host { line.heldCount -= 1 }
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

    /// An item is done, for better or worse.
    mutating func finish(_ id: Int) {
        wake(id)
        guard let host = running.removeValue(forKey: id) else { return }
        change(host) { $0.runningCount -= 1 }
    }

    /// Takes a waiting item out; answers whether it was waiting.
    mutating func drop(_ id: Int) -> Bool {
        for (host, line) in lines {
            guard let index = line.entries.firstIndex(where: { $0.id == id }) else { continue }
            change(host) { $0.entries.remove(at: index) }
            return true
        }
        return false
    }

    /// Empties the backlog; answers what was in it, in order.
    mutating func dropAll() -> [Int] {
        let dropped = lines.values.flatMap(\.entries).sorted { $0 < $1 }.map(\.id)
        for host in Array(lines.keys) { change(host) { $0.entries = [] } }
        return dropped
    }

    /// Changes a host's line and keeps the counts true.
    private mutating func change(_ host: String, _ body: (inout Line) -> Void) {
        // Taken out, as the entries of one that lies here too would be copied.
        var line = lines.removeValue(forKey: host) ?? Line()
        count(line, -1)
        body(&line)
        count(line, +1)
        if !line.isIdle { lines[host] = line }
        if line.entries.isEmpty || line.heldCount > 0 { openHosts.remove(host) } else { openHosts.insert(host) }
    }

    private mutating func count(_ line: Line, _ sign: Int) {
        if line.heldCount > 0 {
            heldCount += sign * line.entries.count
        } else {
            waitingCount += sign * line.entries.count
        }
    }
}
