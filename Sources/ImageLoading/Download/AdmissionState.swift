/// Who may transfer now, purely: places in all and a host, five priorities, first come first served within one.
struct AdmissionState<Ticket: Hashable & Sendable>: Sendable {
    private struct Waiting {
        let ticket: Ticket
        let host: String
    }

    private let limit: Int
    private let limitPerHost: Int
    private var waiting: [[Waiting]] = Array(repeating: [], count: 5)
    private var running: [Ticket: String] = [:]
    private var runningPerHost: [String: Int] = [:]

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(1, limit)
        self.limitPerHost = max(1, limitPerHost)
    }

    /// Queues a ticket; answers the tickets that may start now.
    mutating func enqueue(_ ticket: Ticket, host: String, priority: Double) -> [Ticket] {
        let clamped = priority.isFinite ? min(max(priority, 0), 1) : 0.5
        waiting[Int((clamped * 4).rounded())].append(Waiting(ticket: ticket, host: host))
        return admit()
    }

    /// Gives a place back, or leaves the queue; answers the tickets that may start now.
    mutating func leave(_ ticket: Ticket) -> [Ticket] {
        if let host = running.removeValue(forKey: ticket) {
            let count = (runningPerHost[host] ?? 1) - 1
            runningPerHost[host] = count == 0 ? nil : count
        } else {
            for level in waiting.indices { waiting[level].removeAll { $0.ticket == ticket } }
        }
        return admit()
    }

    private mutating func admit() -> [Ticket] {
        var admitted: [Ticket] = []
        for level in waiting.indices.reversed() {
            var index = 0
            while running.count < limit, index < waiting[level].count {
                let candidate = waiting[level][index]
                guard runningPerHost[candidate.host] ?? 0 < limitPerHost else {
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
