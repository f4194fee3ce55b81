/// Who may transfer now, purely: places in all and a host, five priorities, first come first served within one.
///
/// Transfers to a host that carries many on one connection fill its connections a few at a time. Where a host is as busy as
/// it may be, a few more may be ready: they wait for its connections, which go from one to the next without a pause.
struct AdmissionState<Ticket: Hashable & Sendable>: Sendable {
    private struct Waiting {
        let ticket: Ticket
        let host: String
    }

    private struct Running {
        let host: String
        let connection: Int
    }

    private let limits: DownloadLimits
    private var waiting: [[Waiting]] = Array(repeating: [], count: 5)
    private var running: [Ticket: Running] = [:]
    /// How many run on each of a host's connections.
    private var loads: [String: [Int]] = [:]
    /// Hosts that carry many transfers on one connection.
    private var multiplexed: Set<String> = []
    /// Busy hosts for whose connections one can wait.
    private var pooled: Set<String> = []
    /// Busy hosts that refused a connection.
    private var limited: Set<String> = []

    /// Limits below one are one.
    init(limits: DownloadLimits) { self.limits = limits }

    /// Which of its host's connections a running ticket is to take, from 0; hosts that carry one transfer on each have 0
    /// for all.
    func connection(of ticket: Ticket) -> Int { running[ticket]?.connection ?? 0 }

    /// Queues a ticket; answers the tickets that may start now.
    mutating func enqueue(_ ticket: Ticket, host: String, priority: Double) -> [Ticket] {
        waiting[Self.level(priority)].append(Waiting(ticket: ticket, host: host))
        return admit()
    }

    /// Gives a place back, or leaves the queue; answers the tickets that may start now.
    mutating func leave(_ ticket: Ticket) -> [Ticket] {
        if !release(ticket) { _ = takeOut(ticket) }
        return admit()
    }

    /// Gives a running ticket's place back and puts it first in line for another host; answers the tickets that may
    /// start now, itself among them when there is room.
    mutating func change(_ ticket: Ticket, to host: String) -> [Ticket] {
        guard release(ticket) else { return [] }
        waiting[waiting.count - 1].insert(Waiting(ticket: ticket, host: host), at: 0)
        return admit()
    }

    /// Moves a waiting ticket to the end of another priority; one that stays in its priority keeps its place.
    mutating func move(_ ticket: Ticket, to priority: Double) {
        let level = Self.level(priority)
        guard !waiting[level].contains(where: { $0.ticket == ticket }), let entry = takeOut(ticket) else { return }
        waiting[level].append(entry)
    }

    /// Takes note of a host's connections; answers the tickets that may start now.
    mutating func learn(_ host: String, _ connections: HostConnections) -> [Ticket] {
        let isMultiplexed = connections == .multiplexed
        if connections == .limited, loads[host] != nil { limited.insert(host) }
        let isPooled = connections == .pooled && loads[host] != nil && !limited.contains(host)
        guard multiplexed.contains(host) != isMultiplexed || pooled.contains(host) != isPooled else { return [] }
        if isMultiplexed { multiplexed.insert(host) } else { multiplexed.remove(host) }
        if isPooled { pooled.insert(host) } else { pooled.remove(host) }
        return admit()
    }

    private static func level(_ priority: Double) -> Int {
        let clamped = priority.isFinite ? min(max(priority, 0), 1) : 0.5
        return Int((clamped * 4).rounded())
    }

    /// Takes a running ticket's place away; false for one that does not run.
    private mutating func release(_ ticket: Ticket) -> Bool {
        guard let place = running.removeValue(forKey: ticket) else { return false }
        loads[place.host]?[place.connection] -= 1
        if runningCount(of: place.host) == 0 {
            loads[place.host] = nil
            pooled.remove(place.host)
            limited.remove(place.host)
        }
        return true
    }

    private mutating func takeOut(_ ticket: Ticket) -> Waiting? {
        for level in waiting.indices {
            guard let index = waiting[level].firstIndex(where: { $0.ticket == ticket }) else { continue }
            return waiting[level].remove(at: index)
        }
        return nil
    }

    private func limit(of host: String) -> Int {
        max(1, multiplexed.contains(host) ? limits.streamsPerHost : limits.connectionsPerHost)
    }

    private func runningCount(of host: String) -> Int { loads[host]?.reduce(0, +) ?? 0 }

    /// The first that carries few, else one more, else the one that carries least.
    private func connection(for host: String) -> Int {
        guard multiplexed.contains(host), let loads = loads[host] else { return 0 }
        if let free = loads.firstIndex(where: { $0 < max(1, limits.streamsPerConnection) }) { return free }
        guard loads.count >= max(1, limits.concurrentPerHost) else { return loads.count }
        return loads.indices.min { loads[$0] < loads[$1] } ?? 0
    }

    private mutating func run(_ candidate: Waiting) {
        let connection = connection(for: candidate.host)
        running[candidate.ticket] = Running(host: candidate.host, connection: connection)
        var counts = loads[candidate.host] ?? []
        if connection == counts.count { counts.append(0) }
        counts[connection] += 1
        loads[candidate.host] = counts
    }

    /// Those that are ready come after all that wait for a place of any host's.
    private mutating func admit() -> [Ticket] {
        let admitted = admit(isReady: false)
        guard limits.readyPerHost > 0, !waiting.joined().contains(where: { hasPlace($0.host) }) else { return admitted }
        return admitted + admit(isReady: true)
    }

    private mutating func admit(isReady: Bool) -> [Ticket] {
        var admitted: [Ticket] = []
        for level in waiting.indices.reversed() {
            var index = 0
            while isReady || runningCount < max(1, limits.concurrent), index < waiting[level].count {
                let candidate = waiting[level][index]
                guard isReady ? hasRoomToBeReady(candidate.host) : hasPlace(candidate.host) else {
                    index += 1
                    continue
                }
                waiting[level].remove(at: index)
                run(candidate)
                admitted.append(candidate.ticket)
            }
        }
        return admitted
    }

    /// How many have a connection, or get one at once.
    private var runningCount: Int { running.count - pooled.reduce(0) { $0 + readyCount(of: $1) } }

    private func readyCount(of host: String) -> Int {
        min(limits.readyPerHost, max(0, runningCount(of: host) - limit(of: host)))
    }

    private func hasPlace(_ host: String) -> Bool { runningCount(of: host) < limit(of: host) }

    private func hasRoomToBeReady(_ host: String) -> Bool {
        pooled.contains(host) && runningCount(of: host) < limit(of: host) + limits.readyPerHost
    }
}
