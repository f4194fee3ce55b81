/// Who may transfer now, purely: places in all and a host, five priorities, first come first served within one.
struct AdmissionState<Ticket: Hashable & Sendable>: Sendable {
    private struct Waiting {
        let ticket: Ticket
        let host: String
    }

    private let limits: DownloadLimits
    private var waiting: [[Waiting]] = Array(repeating: [], count: 5)
    private var running: [Ticket: String] = [:]
    private var runningPerHost: [String: Int] = [:]
    /// Hosts that carry many transfers on one connection.
    private var multiplexed: Set<String> = []

    /// Limits below one are one.
    init(limits: DownloadLimits) { self.limits = limits }

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

    /// Takes note of what a host speaks; answers the tickets that may start now.
    mutating func learn(_ host: String, isMultiplexed: Bool) -> [Ticket] {
        if isMultiplexed { multiplexed.insert(host) } else { multiplexed.remove(host) }
        return admit()
    }

    private static func level(_ priority: Double) -> Int {
        let clamped = priority.isFinite ? min(max(priority, 0), 1) : 0.5
        return Int((clamped * 4).rounded())
    }

    /// Takes a running ticket's place away; false for one that does not run.
    private mutating func release(_ ticket: Ticket) -> Bool {
        guard let host = running.removeValue(forKey: ticket) else { return false }
        let count = (runningPerHost[host] ?? 1) - 1
        runningPerHost[host] = count == 0 ? nil : count
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
        max(1, multiplexed.contains(host) ? limits.streamsPerHost : limits.concurrentPerHost)
    }

    private mutating func admit() -> [Ticket] {
        var admitted: [Ticket] = []
        for level in waiting.indices.reversed() {
            var index = 0
            while running.count < max(1, limits.concurrent), index < waiting[level].count {
                let candidate = waiting[level][index]
                guard runningPerHost[candidate.host] ?? 0 < limit(of: candidate.host) else {
                    index += 1
                    continue
                }
                waiting[level].remove(at: index)
                running[candidate.ticket] = candidate.host
                runningPerHost[candidate.host, default: 0] += 1
                admitted.append(candidate.ticket)
            }
        }
        return admitted
    }
}
