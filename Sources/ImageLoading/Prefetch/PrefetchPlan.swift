/// Which item is prefetched next, purely: the backlog's order, within a limit in all and a host.
///
/// A busy host's items are passed over, so that a slow host never holds the places of the others.
struct PrefetchPlan: Sendable {
    struct Entry: Sendable, Equatable {
        let id: Int
        let host: String
    }

    private let limit: Int
    private let limitPerHost: Int
    private var backlog: [Entry] = []
    private var head = 0
    private var running: [Int: String] = [:]
    private var runningPerHost: [String: Int] = [:]
    var isPaused = false

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(1, limit)
        self.limitPerHost = max(1, limitPerHost)
    }

    var waitingCount: Int { backlog.count - head }
    var runningCount: Int { running.count }
    var isIdle: Bool { waitingCount == 0 && running.isEmpty }

    mutating func add(_ entry: Entry) { backlog.append(entry) }

    /// Gives the backlog a new order and content; what runs already goes on, and nothing is in it twice.
    mutating func replaceBacklog(with entries: [Entry]) {
        var known = Set(running.keys)
        backlog = entries.filter { known.insert($0.id).inserted }
        head = 0
    }

    /// Takes every item out that may start now.
    mutating func next() -> [Int] {
        guard !isPaused else { return [] }
        var chosen: [Int] = []
        var index = head
        while running.count < limit, index < backlog.count {
            let entry = backlog[index]
            guard runningPerHost[entry.host] ?? 0 < limitPerHost else {
                index += 1
                continue
            }
            start(entry)
            chosen.append(entry.id)
            if index == head {
                head += 1
                index = head
            } else {
                backlog.remove(at: index)
            }
        }
        compact()
        return chosen
    }

    /// An item is done, for better or worse.
    mutating func finish(_ id: Int) {
        guard let host = running.removeValue(forKey: id) else { return }
        let count = (runningPerHost[host] ?? 1) - 1
        runningPerHost[host] = count == 0 ? nil : count
    }

    /// Takes a waiting item out; answers whether it was waiting.
    mutating func drop(_ id: Int) -> Bool {
        guard let index = backlog[head...].firstIndex(where: { $0.id == id }) else { return false }
        backlog.remove(at: index)
        return true
    }

    /// Empties the backlog; answers what was in it.
    mutating func dropAll() -> [Int] {
        let dropped = backlog[head...].map(\.id)
        backlog = []
        head = 0
        return dropped
    }

    private mutating func start(_ entry: Entry) {
        running[entry.id] = entry.host
        runningPerHost[entry.host, default: 0] += 1
    }

    /// Taking the first one out costs nothing but, now and then, this.
    private mutating func compact() {
        guard head > 1024, head * 2 > backlog.count else { return }
        backlog.removeFirst(head)
        head = 0
    }
}
