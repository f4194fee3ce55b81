import Synchronization

/// Lets transfers in as `AdmissionState` decides; a cancelled one leaves the queue at once.
actor AdmissionQueue {
    private struct Waiter {
        let request: DownloadRequest.ID
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var state: AdmissionState<Int>
    private var waiters: [Int: Waiter] = [:]
    private var lastTicket = 0
    /// The hosts of which it is known that they carry many transfers on one connection.
    private let multiplexed = Mutex<Set<String>>([])

    init(limits: DownloadLimits) { state = AdmissionState(limits: limits) }

    /// How many wait for a place.
    var waitingCount: Int { waiters.count }

    /// Waits for a place, does the work, gives the place back.
    func withPlace<Result: Sendable>(
        for request: DownloadRequest.ID = 0, host: String, priority: Double,
        _ work: @Sendable (Place) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        lastTicket += 1
        let ticket = lastTicket
        try await admission(of: ticket, for: request) { $0.enqueue(ticket, host: host, priority: priority) }
        defer { start(state.leave(ticket)) }
        return try await work(
            Place(queue: self, ticket: ticket, request: request, connection: state.connection(of: ticket)))
    }

    /// One who may transfer.
    struct Place: Sendable {
        fileprivate let queue: AdmissionQueue
        fileprivate let ticket: Int
        fileprivate let request: DownloadRequest.ID
        /// Which of its host's connections it is to take, from 0.
        private(set) var connection: Int

        /// Gives the place back for one at another host, first in line for it.
        mutating func move(to host: String) async throws(ImageError) {
            connection = try await queue.move(ticket, for: request, to: host)
        }
    }

    private func move(_ ticket: Int, for request: DownloadRequest.ID, to host: String) async throws(ImageError) -> Int {
        try await admission(of: ticket, for: request) { $0.change(ticket, to: host) }
        return state.connection(of: ticket)
    }

    /// Asks for admission and waits for it; a cancelled task has left the queue when this throws.
    private func admission(
        of ticket: Int, for request: DownloadRequest.ID, asking ask: (inout AdmissionState<Int>) -> [Int]
    ) async throws(ImageError) {
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                waiters[ticket] = Waiter(request: request, continuation: continuation)
                start(ask(&state))
            }
        } onCancel: {
            Task { await self.abandon(ticket) }
        }
        guard isAdmitted else { throw .cancelled }
    }

    /// Moves a waiting request to the end of another priority; nothing for one that does not wait.
    func setPriority(_ priority: Double, of request: DownloadRequest.ID) {
        for (ticket, waiter) in waiters where waiter.request == request { state.move(ticket, to: priority) }
    }

    /// Takes note of what a host speaks, which decides how many transfers it takes at a time.
    ///
    /// What is no news waits for nothing.
    nonisolated func learn(_ host: String, isMultiplexed: Bool) async {
        let isNews = multiplexed.withLock { hosts in
            isMultiplexed ? hosts.insert(host).inserted : hosts.remove(host) != nil
        }
        if isNews { await takeNews(of: host, isMultiplexed: isMultiplexed) }
    }

    private func takeNews(of host: String, isMultiplexed: Bool) {
        start(state.learn(host, isMultiplexed: isMultiplexed))
    }

    private func start(_ tickets: [Int]) {
        for ticket in tickets { waiters.removeValue(forKey: ticket)?.continuation.resume(returning: true) }
    }

    private func abandon(_ ticket: Int) {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return }
        start(state.leave(ticket))
        waiter.continuation.resume(returning: false)
    }
}
