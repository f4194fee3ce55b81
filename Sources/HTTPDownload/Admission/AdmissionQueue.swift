import AlcedoHTTPRequests
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
    }

    private let lastTicket = Atomic(0)
    private let state: Mutex<State>

    init(limits: DownloadLimits) { state = Mutex(State(admission: AdmissionState(limits: limits))) }

    /// The number of transfers that wait for a place.
    var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Waits for a place, runs the work, and frees the place.
    func withPlace<Result: Sendable>(
        for request: DownloadRequest.ID = 0, host: String, isSecure: Bool = false, priority: Double,
        _ work: (Place) async throws(DownloadError) -> Result
    ) async throws(DownloadError) -> Result {
        let ticket = lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
        try await admission(of: ticket, for: request) {
            $0.enqueue(ticket, host: host, isSecure: isSecure, priority: priority)
        }
        defer { start { $0.admission.remove(ticket) } }
        return try await work(Place(queue: self, ticket: ticket, request: request, host: host, isSecure: isSecure))
    }

    /// The place of an admitted transfer.
    struct Place: Sendable {
        fileprivate let queue: AdmissionQueue
        fileprivate let ticket: Int
        fileprivate let request: DownloadRequest.ID
        private(set) var host: String
        private(set) var isSecure: Bool

        /// Exchanges the place for one at another host, with the highest priority; does nothing for the same host.
        mutating func move(to host: String, isSecure: Bool = false) async throws(DownloadError) {
            guard host != self.host || isSecure != self.isSecure else { return }
            (self.host, self.isSecure) = (host, isSecure)
            try await queue.admission(of: ticket, for: request) { $0.change(ticket, to: host, isSecure: isSecure) }
        }
    }

    /// Requests admission and waits for it.
    ///
    /// - Throws: The cancellation; the task has left the queue by then.
    private func admission(
        of ticket: Int, for request: DownloadRequest.ID, asking ask: (inout AdmissionState) -> [Int]
    ) async throws(DownloadError) {
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

    /// Records that a connection to a host was made, which admits the transfers that waited for the first one.
    func didConnect(_ host: String) { start { $0.admission.didConnect(host) } }

    /// Applies a change and resumes the transfers that it admits.
    ///
    /// - Parameter change: A function that returns the tickets to admit, or nil to refuse the change.
    /// - Returns: False if `change` returned nil.
    @discardableResult
    private func start(_ change: (inout State) -> [Int]?) -> Bool {
        let admitted = state.withLock { state in change(&state)?.compactMap { state.waiters.removeValue(forKey: $0) } }
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
/// The first transfer to a host with TLS runs alone until it is connected or has failed: then it is known whether the
/// others can share its connection (HTTP/2). The mutating functions return the tickets that may start now.
struct AdmissionState: Sendable {
    typealias Ticket = Int

    private struct Waiting {
        let ticket: Ticket
        let host: String
        let isSecure: Bool
    }

    private let limits: DownloadLimits
    private var waiting: [[Waiting]] = Array(repeating: [], count: 5)
    /// The hosts of the running transfers.
    private var running: [Ticket: String] = [:]
    private var counts: [String: Int] = [:]
    /// Whether the hosts to which a connection was made are known to support HTTP/2.
    private var multiplexed: [String: Bool] = [:]
    /// The maximum number of hosts that are remembered; another one clears them.
    private static let hostLimit = 10_000

    /// Creates an empty state; limits below 1 count as 1.
    init(limits: DownloadLimits) { self.limits = limits }

    mutating func enqueue(_ ticket: Ticket, host: String, isSecure: Bool = false, priority: Double) -> [Ticket] {
        waiting[Self.level(priority)].append(Waiting(ticket: ticket, host: host, isSecure: isSecure))
        return admit()
    }

    /// Removes a running or waiting ticket.
    mutating func remove(_ ticket: Ticket) -> [Ticket] {
        if !release(ticket) { _ = removeWaiting(ticket) }
        return admit()
    }

    /// Moves a running ticket to another host, where it is the first to get a place, perhaps at once.
    mutating func change(_ ticket: Ticket, to host: String, isSecure: Bool = false) -> [Ticket] {
        guard release(ticket) else { return [] }
        waiting[waiting.count - 1].insert(Waiting(ticket: ticket, host: host, isSecure: isSecure), at: 0)
        return admit()
    }

    /// Moves a waiting ticket to the end of another priority; one that already has that priority keeps its place.
    mutating func move(_ ticket: Ticket, to priority: Double) {
        let level = Self.level(priority)
        if waiting[level].contains(where: { $0.ticket == ticket }) { return }
        if let entry = removeWaiting(ticket) { waiting[level].append(entry) }
    }

    /// Records that a connection to a host was made.
    mutating func didConnect(_ host: String) -> [Ticket] {
        multiplexed[host] == nil ? learn(host, isMultiplexed: false) : []
    }

    /// Records whether a host supports HTTP/2.
    mutating func learn(_ host: String, isMultiplexed: Bool) -> [Ticket] {
        guard multiplexed[host] != isMultiplexed else { return [] }
        remember(host, isMultiplexed: isMultiplexed)
        return admit()
    }

    private mutating func remember(_ host: String, isMultiplexed: Bool) {
        if multiplexed.count >= Self.hostLimit { multiplexed = [:] }
        multiplexed[host] = isMultiplexed
    }

    private static func level(_ priority: Double) -> Int {
        let clamped = priority.isFinite ? min(max(priority, 0), 1) : 0.5
        return Int((clamped * 4).rounded())
    }

    /// Frees a running ticket's place; returns false if the ticket does not run.
    private mutating func release(_ ticket: Ticket) -> Bool {
        guard let host = running.removeValue(forKey: ticket) else { return false }
        let count = (counts[host] ?? 1) - 1
        counts[host] = count > 0 ? count : nil
        // If the first transfer of a host could not connect, the others try it in parallel.
        if multiplexed[host] == nil { remember(host, isMultiplexed: false) }
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
        guard candidate.isSecure else { return limits.connectionsPerHost }
        guard let isMultiplexed = multiplexed[candidate.host] else { return 1 }
        return isMultiplexed ? max(1, limits.streamsPerHost) : limits.connectionsPerHost
    }

    private mutating func admit() -> [Ticket] {
        var admitted: [Ticket] = []
        var free = max(1, limits.concurrent) - running.count
        for level in waiting.indices.reversed() {
            var index = 0
            while index < waiting[level].count, free > 0 {
                let candidate = waiting[level][index]
                if counts[candidate.host] ?? 0 < limit(for: candidate) {
                    waiting[level].remove(at: index)
                    running[candidate.ticket] = candidate.host
                    counts[candidate.host, default: 0] += 1
                    admitted.append(candidate.ticket)
                    free -= 1
                } else {
                    index += 1
                }
            }
        }
        return admitted
    }
}
