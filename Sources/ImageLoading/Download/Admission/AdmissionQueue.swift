/// Lets transfers in as `AdmissionState` decides; a cancelled one leaves the queue at once.
actor AdmissionQueue {
    private struct Waiter {
        let request: DownloadRequest.ID
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var state: AdmissionState<Int>
    private var waiters: [Int: Waiter] = [:]
    private var lastTicket = 0

    init(limits: DownloadLimits) { state = AdmissionState(limits: limits) }

    /// How many wait for a place.
    var waitingCount: Int { waiters.count }

    /// Waits for a place, does the work, gives the place back.
    func withPlace<Result: Sendable>(
        for request: DownloadRequest.ID = 0, host: String, priority: Double,
        _ work: @Sendable () async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        lastTicket += 1
        let ticket = lastTicket
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                waiters[ticket] = Waiter(request: request, continuation: continuation)
                start(state.enqueue(ticket, host: host, priority: priority))
            }
        } onCancel: {
            Task { await self.abandon(ticket) }
        }
        guard isAdmitted else { throw .cancelled }
        defer { start(state.leave(ticket)) }
        return try await work()
    }

    /// Moves a waiting request to the end of another priority; nothing for one that does not wait.
    func setPriority(_ priority: Double, of request: DownloadRequest.ID) {
        for (ticket, waiter) in waiters where waiter.request == request { state.move(ticket, to: priority) }
    }

    /// Takes note of what a host speaks, which decides how many transfers it takes at a time.
    func learn(_ host: String, isMultiplexed: Bool) { start(state.learn(host, isMultiplexed: isMultiplexed)) }

    private func start(_ tickets: [Int]) {
        for ticket in tickets { waiters.removeValue(forKey: ticket)?.continuation.resume(returning: true) }
    }

    private func abandon(_ ticket: Int) {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return }
        start(state.leave(ticket))
        waiter.continuation.resume(returning: false)
    }
}
