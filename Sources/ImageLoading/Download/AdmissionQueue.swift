/// Lets transfers in as `AdmissionState` decides; a cancelled one leaves the queue at once.
actor AdmissionQueue {
    private var state: AdmissionState<Int>
    private var continuations: [Int: CheckedContinuation<Bool, Never>] = [:]
    private var lastTicket = 0

    init(limit: Int, limitPerHost: Int) {
        state = AdmissionState(limit: limit, limitPerHost: limitPerHost)
    }

    /// Waits for a place, does the work, gives the place back.
    func withPlace<Result: Sendable>(
        host: String, priority: Double, _ work: @Sendable () async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        lastTicket += 1
        let ticket = lastTicket
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                continuations[ticket] = continuation
                start(state.enqueue(ticket, host: host, priority: priority))
            }
        } onCancel: {
            Task { await self.abandon(ticket) }
        }
        guard isAdmitted else { throw .cancelled }
        defer { start(state.leave(ticket)) }
        return try await work()
    }

    private func start(_ tickets: [Int]) {
        for ticket in tickets { continuations.removeValue(forKey: ticket)?.resume(returning: true) }
    }

    private func abandon(_ ticket: Int) {
        guard let continuation = continuations.removeValue(forKey: ticket) else { return }
        start(state.leave(ticket))
        continuation.resume(returning: false)
    }
}
