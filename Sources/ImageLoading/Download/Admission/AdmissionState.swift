/// Who may transfer now, purely: places in all and a host, five priorities, first come first served within one.
///
/// Transfers to a host that carries many on one connection fill its connections a few at a time. Where a host is as busy as
/// it may be, a few more may be ready: they wait for its connections, which go from one to the next without a pause.
struct AdmissionState<Ticket: Hashable & Sendable>: Sendable {
    private struct Waiting {
        let ticket: Ticket
        let host: String
        let isSecure: Bool
    }

    private struct Running {
        let host: String
        let connection: Int
    }

    /// What is on one connection, or on several that carry one transfer each.
    private struct Load {
        var active = 0
        /// Those that wait for it.
        var ready = 0

        /// One is gone; of those that wait one goes on in its place.
        mutating func leave() {
            if ready > 0 { ready -= 1 } else { active -= 1 }
        }

        /// Nobody can wait any more.
        mutating func activateAll() {
            self = Load(active: active + ready)
        }
    }

    private let limits: DownloadLimits
    private var waiting: [[Waiting]] = Array(repeating: [], count: 5)
    private var running: [Ticket: Running] = [:]
    /// By connection.
    private var loads: [String: [Load]] = [:]
    /// Hosts that carry many transfers on one connection.
    private var multiplexed: Set<String> = []
    /// Busy hosts whose connections one can wait for.
    private var pooled: Set<String> = []
    /// Busy hosts that refused a connection.
    private var limited: Set<String> = []

    /// Limits below one are one.
    init(limits: DownloadLimits) { self.limits = limits }

    /// Which of its host's connections a running ticket is to take, from 0; without TLS 0 for all.
    func connection(of ticket: Ticket) -> Int { running[ticket]?.connection ?? 0 }

    /// Queues a ticket; answers the tickets that may start now.
    mutating func enqueue(_ ticket: Ticket, host: String, isSecure: Bool = false, priority: Double) -> [Ticket] {
        waiting[Self.level(priority)].append(Waiting(ticket: ticket, host: host, isSecure: isSecure))
        return admit()
    }

    /// Gives a place back, or leaves the queue; answers the tickets that may start now.
    mutating func leave(_ ticket: Ticket) -> [Ticket] {
        if !release(ticket) { _ = takeOut(ticket) }
        return admit()
    }

    /// Gives a running ticket's place back and puts it first in line for another host; answers the tickets that may
    /// start now, itself among them when there is room.
    mutating func change(_ ticket: Ticket, to host: String, isSecure: Bool = false) -> [Ticket] {
        guard release(ticket) else { return [] }
        waiting[waiting.count - 1].insert(Waiting(ticket: ticket, host: host, isSecure: isSecure), at: 0)
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
        let isPooled = connections.canBeWaitedFor && loads[host] != nil && !limited.contains(host)
        guard multiplexed.contains(host) != isMultiplexed || pooled.contains(host) != isPooled else { return [] }
        if isMultiplexed { multiplexed.insert(host) } else { multiplexed.remove(host) }
        if isPooled { pooled.insert(host) } else { endWaiting(at: host) }
        return admit()
    }

    private static func level(_ priority: Double) -> Int {
        let clamped = priority.isFinite ? min(max(priority, 0), 1) : 0.5
        return Int((clamped * 4).rounded())
    }

    /// Takes a running ticket's place away; false for one that does not run.
    private mutating func release(_ ticket: Ticket) -> Bool {
        guard let place = running.removeValue(forKey: ticket) else { return false }
        loads[place.host]?[place.connection].leave()
        if activeCount(of: place.host) == 0 {
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

    private mutating func endWaiting(at host: String) {
        pooled.remove(host)
        for connection in (loads[host] ?? []).indices { loads[host]?[connection].activateAll() }
    }

    /// Without TLS nobody speaks HTTP/2.
    private func limit(for candidate: Waiting) -> Int {
        let isMultiplexed = candidate.isSecure && multiplexed.contains(candidate.host)
        return max(1, isMultiplexed ? limits.streamsPerHost : limits.connectionsPerHost)
    }

    private func activeCount(of host: String) -> Int { (loads[host] ?? []).reduce(0) { $0 + $1.active } }

    private func readyCount(of host: String) -> Int { (loads[host] ?? []).reduce(0) { $0 + $1.ready } }

    /// The first that carries few, else one more, else the one that carries least of its share; nil when the host has no
    /// place.
    private func freeConnection(for candidate: Waiting) -> Int? {
        guard hasPlace(candidate) else { return nil }
        guard candidate.isSecure, let loads = loads[candidate.host] else { return 0 }
        if let free = loads.firstIndex(where: { $0.active < max(1, limits.streamsPerConnection) }) { return free }
        if loads.count < max(1, limits.concurrentPerHost) { return loads.count }
        let excess = loads.indices.map { loads[$0].active - share(of: $0, for: candidate) }
        return excess.indices.min { excess[$0] < excess[$1] } ?? 0
    }

    /// Of those that carry their share, no less and no more, the one that fewest wait for; nil when there is none.
    private func connectionToWaitFor(by candidate: Waiting) -> Int? {
        let host = candidate.host
        guard pooled.contains(host), readyCount(of: host) < limits.readyPerHost, let loads = loads[host] else {
            return nil
        }
        return loads.indices.filter { loads[$0].active == share(of: $0, for: candidate) }
            .min { loads[$0].ready < loads[$1].ready }
    }

    private func share(of connection: Int, for candidate: Waiting) -> Int {
        let limit = limit(for: candidate)
        return candidate.isSecure ? limits.share(of: connection, in: limit) : limit
    }

    private mutating func run(_ candidate: Waiting, on connection: Int, isReady: Bool) {
        running[candidate.ticket] = Running(host: candidate.host, connection: connection)
        var loads = loads[candidate.host] ?? []
        if connection == loads.count { loads.append(Load()) }
        if isReady { loads[connection].ready += 1 } else { loads[connection].active += 1 }
        self.loads[candidate.host] = loads
    }

    /// Those that are ready come after all that wait for a place of any host's.
    private mutating func admit() -> [Ticket] {
        guard waiting.contains(where: { !$0.isEmpty }) else { return [] }
        let admitted = admit(isReady: false)
        guard limits.readyPerHost > 0, !waiting.joined().contains(where: hasPlace) else { return admitted }
        return admitted + admit(isReady: true)
    }

    private mutating func admit(isReady: Bool) -> [Ticket] {
        var admitted: [Ticket] = []
        var free = isReady ? Int.max : max(1, limits.concurrent) - activeCount
        for level in waiting.indices.reversed() {
            var index = 0
            while index < waiting[level].count, free > 0 {
                let candidate = waiting[level][index]
                let connection = isReady ? connectionToWaitFor(by: candidate) : freeConnection(for: candidate)
                guard let connection else {
                    index += 1
                    continue
                }
                waiting[level].remove(at: index)
                run(candidate, on: connection, isReady: isReady)
                admitted.append(candidate.ticket)
                free -= 1
            }
        }
        return admitted
    }

    /// How many have a connection, or get one at once.
    private var activeCount: Int { running.count - pooled.reduce(0) { $0 + readyCount(of: $1) } }

    private func hasPlace(_ candidate: Waiting) -> Bool { activeCount(of: candidate.host) < limit(for: candidate) }
}
