import Synchronization

/// The queue that admits transfers as `AdmissionState` decides; a cancelled transfer leaves it at once.
final class AdmissionQueue: Sendable {
    private struct Waiter {
        let request: DownloadRequest.ID
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var admission: AdmissionState<Int>
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
        of ticket: Int, for request: DownloadRequest.ID, asking ask: (inout AdmissionState<Int>) -> [Int]
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
