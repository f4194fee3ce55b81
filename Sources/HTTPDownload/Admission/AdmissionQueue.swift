import Synchronization

/// The queue that admits transfers as `AdmissionState` decides; a cancelled transfer leaves it at once.
final class AdmissionQueue: Sendable {
    private struct Waiter {
        let request: DownloadRequest.ID
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var admission: AdmissionState
        var waiters: [Int: Waiter] = [:]
        var lastTicket = 0
    }

    private let state: Mutex<State>

    init(limits: DownloadLimits) { state = Mutex(State(admission: AdmissionState(limits: limits))) }

    /// The number of transfers that wait for a place.
    var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Waits for a place, runs the work, and frees the place.
    func withPlace<Result: Sendable>(
        for request: DownloadRequest.ID = 0, host: String, isSecure: Bool = false, priority: Double,
        _ work: (Place) async throws(DownloadError) -> Result
    ) async throws(DownloadError) -> Result {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let connection = try await admission(of: ticket, for: request) {
            $0.enqueue(ticket, host: host, isSecure: isSecure, priority: priority)
        }
        defer { start { $0.admission.remove(ticket) } }
        let place = Place(
            queue: self, ticket: ticket, request: request, host: host, isSecure: isSecure, connection: connection)
        return try await work(place)
    }

    /// The place of an admitted transfer.
    struct Place: Sendable {
        fileprivate let queue: AdmissionQueue
        fileprivate let ticket: Int
        fileprivate let request: DownloadRequest.ID
        private(set) var host: String
        private(set) var isSecure: Bool
        /// The number of the host's connection that the transfer uses, from 0.
        private(set) var connection: Int

        /// Exchanges the place for one at another host, with the highest priority; does nothing for the same host.
        mutating func move(to host: String, isSecure: Bool = false) async throws(DownloadError) {
            guard host != self.host || isSecure != self.isSecure else { return }
            (self.host, self.isSecure) = (host, isSecure)
            connection = try await queue.admission(of: ticket, for: request) {
                $0.change(ticket, to: host, isSecure: isSecure)
            }
        }
    }

    /// Requests admission and waits for it.
    ///
    /// - Returns: The number of the connection to use.
    /// - Throws: The cancellation; the task has left the queue by then.
    private func admission(
        of ticket: Int, for request: DownloadRequest.ID, asking ask: (inout AdmissionState) -> [Int]
    ) async throws(DownloadError) -> Int {
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAsked = start { state in
                    // The check is within the lock, so that a later cancellation finds the waiter.
                    guard !Task.isCancelled else { return nil }
                    state.waiters[ticket] = Waiter(request: request, continuation: continuation)
                    return ask(&state.admission)
                }
                if !isAsked { continuation.resume(returning: false) }
            }
        } onCancel: {
            abandon(ticket)
        }
        guard isAdmitted else { throw .cancelled }
        return state.withLock { $0.admission.connection(of: ticket) }
    }

    /// Moves a waiting request to the end of another priority; does nothing for other requests.
    func setPriority(_ priority: Double, of request: DownloadRequest.ID) {
        state.withLock { state in
            for (ticket, waiter) in state.waiters where waiter.request == request {
                state.admission.move(ticket, to: priority)
            }
        }
    }

    /// Records whether a host supports HTTP/2, which determines its number of concurrent transfers.
    func learn(_ host: String, isMultiplexed: Bool) {
        start { $0.admission.learn(host, isMultiplexed: isMultiplexed) }
    }

    /// Applies a change and resumes the transfers that it admits.
    ///
    /// - Parameter change: A function that returns the tickets to admit, or nil to refuse the change.
    /// - Returns: False if `change` returned nil.
    @discardableResult
    private func start(_ change: (inout State) -> [Int]?) -> Bool {
        let admitted = state.withLock { state in
            change(&state)?.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in admitted ?? [] { waiter.continuation.resume(returning: true) }
        return admitted != nil
    }

    private func abandon(_ ticket: Int) {
        guard let waiter = state.withLock({ $0.waiters.removeValue(forKey: ticket) }) else { return }
        start { $0.admission.remove(ticket) }
        waiter.continuation.resume(returning: false)
    }
}

/// The pure state of the queue: a total limit, a limit for each host, and five priorities, first in, first out
/// within each.
///
/// Transfers to an HTTP/2 host are spread over its connections, a few on each.
struct AdmissionState: Sendable {
    typealias Ticket = Int

    private struct Waiting {
        let ticket: Ticket
        let host: String
        let isSecure: Bool
    }

    private struct Running {
        let host: String
        let connection: Int
    }

    private let limits: DownloadLimits
    private var waiting: [[Waiting]] = Array(repeating: [], count: 5)
    private var running: [Ticket: Running] = [:]
    /// The number of transfers on each connection to a host.
    private var loads: [String: [Int]] = [:]
    /// The hosts that support HTTP/2, which carry several transfers on one connection.
    private var multiplexed: Set<String> = []

    /// Creates an empty state; limits below 1 count as 1.
    init(limits: DownloadLimits) { self.limits = limits }

    /// Returns the number of the connection that a running ticket uses, from 0; without TLS always 0.
    func connection(of ticket: Ticket) -> Int { running[ticket]?.connection ?? 0 }

    /// Queues a ticket.
    ///
    /// - Returns: The tickets that may start now.
    mutating func enqueue(_ ticket: Ticket, host: String, isSecure: Bool = false, priority: Double) -> [Ticket] {
        waiting[Self.level(priority)].append(Waiting(ticket: ticket, host: host, isSecure: isSecure))
        return admit()
    }

    /// Removes a running or waiting ticket.
    ///
    /// - Returns: The tickets that may start now.
    mutating func remove(_ ticket: Ticket) -> [Ticket] {
        if !release(ticket) { _ = removeWaiting(ticket) }
        return admit()
    }

    /// Moves a running ticket to another host, where it is the first to get a place.
    ///
    /// - Returns: The tickets that may start now; the ticket itself is one of them if the host has room.
    mutating func change(_ ticket: Ticket, to host: String, isSecure: Bool = false) -> [Ticket] {
        guard release(ticket) else { return [] }
        waiting[waiting.count - 1].insert(Waiting(ticket: ticket, host: host, isSecure: isSecure), at: 0)
        return admit()
    }

    /// Moves a waiting ticket to the end of another priority; one that already has that priority keeps its place.
    mutating func move(_ ticket: Ticket, to priority: Double) {
        let level = Self.level(priority)
        guard !waiting[level].contains(where: { $0.ticket == ticket }), let entry = removeWaiting(ticket) else {
            return
        }
        waiting[level].append(entry)
    }

    /// Records whether a host supports HTTP/2.
    ///
    /// - Returns: The tickets that may start now.
    mutating func learn(_ host: String, isMultiplexed: Bool) -> [Ticket] {
        guard multiplexed.contains(host) != isMultiplexed else { return [] }
        if isMultiplexed { multiplexed.insert(host) } else { multiplexed.remove(host) }
        return admit()
    }

    private static func level(_ priority: Double) -> Int {
        let clamped = priority.isFinite ? min(max(priority, 0), 1) : 0.5
        return Int((clamped * 4).rounded())
    }

    /// Frees a running ticket's place; returns false if the ticket does not run.
    private mutating func release(_ ticket: Ticket) -> Bool {
        guard let place = running.removeValue(forKey: ticket) else { return false }
        loads[place.host]?[place.connection] -= 1
        if activeCount(of: place.host) == 0 { loads[place.host] = nil }
        return true
    }

    private mutating func removeWaiting(_ ticket: Ticket) -> Waiting? {
        for level in waiting.indices {
            guard let index = waiting[level].firstIndex(where: { $0.ticket == ticket }) else { continue }
            return waiting[level].remove(at: index)
        }
        return nil
    }

    /// Returns the limit of the candidate's host; HTTP/2 is used with TLS only.
    private func limit(for candidate: Waiting) -> Int {
        let isMultiplexed = candidate.isSecure && multiplexed.contains(candidate.host)
        return max(1, isMultiplexed ? limits.streamsPerHost : limits.connectionsPerHost)
    }

    private func activeCount(of host: String) -> Int { (loads[host] ?? []).reduce(0, +) }

    /// Returns the connection for a candidate, or nil if its host has no room.
    ///
    /// It prefers the first connection with few transfers, then a new connection, then the one with the least load.
    private func freeConnection(for candidate: Waiting) -> Int? {
        guard activeCount(of: candidate.host) < limit(for: candidate) else { return nil }
        guard candidate.isSecure, let loads = loads[candidate.host] else { return 0 }
        if let free = loads.firstIndex(where: { $0 < max(1, limits.streamsPerConnection) }) { return free }
        if loads.count < max(1, limits.concurrentPerHost) { return loads.count }
        return loads.indices.min { loads[$0] < loads[$1] } ?? 0
    }

    private mutating func run(_ candidate: Waiting, on connection: Int) {
        running[candidate.ticket] = Running(host: candidate.host, connection: connection)
        var loads = loads[candidate.host] ?? []
        if connection == loads.count { loads.append(0) }
        loads[connection] += 1
        self.loads[candidate.host] = loads
    }

    private mutating func admit() -> [Ticket] {
        var admitted: [Ticket] = []
        var free = max(1, limits.concurrent) - running.count
        for level in waiting.indices.reversed() {
            var index = 0
            while index < waiting[level].count, free > 0 {
                let candidate = waiting[level][index]
                guard let connection = freeConnection(for: candidate) else {
                    index += 1
                    continue
                }
                waiting[level].remove(at: index)
                run(candidate, on: connection)
                admitted.append(candidate.ticket)
                free -= 1
            }
        }
        return admitted
    }
}
