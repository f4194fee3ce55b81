import AlcedoCCurl
import AlcedoHTTPRequests
import FoundationEssentials
import Synchronization

/// One request and its response, between the task that waits for it and the thread of the transfers.
///
/// The thread adds what it receives; the task takes it. Bytes that have not been taken yet are kept in memory, up to
/// the size limit of the body.
final class Exchange: Sendable {
    /// The connection that carries a request.
    struct ConnectionUse: Sendable {
        /// The times until the connection was ready; nil if it had carried a request before.
        var phases: DownloadMetrics.Phases?
        var isReused: Bool { phases == nil }
    }

    private struct State {
        var parser: ResponseHeadParser
        var isHeadTaken = false
        var bytes = Data()
        /// The number of body bytes received, and the limit at which the transfer is aborted.
        var received = 0
        var limit: Int
        var end: Result<Void, DownloadError>?
        var use: ConnectionUse?
        var waiter: CheckedContinuation<Void, Never>?
        var isPaused = false
        /// The alarm for the head, from when the request is sent.
        var alarm: Alarm?

        /// Whether the waiting task has something to take.
        var isReady: Bool { end != nil || (isHeadTaken ? !bytes.isEmpty : parser.isComplete) }
    }

    let request: OutgoingRequest
    /// Whether this is the first request of its transfer, which a draining transport does not start.
    let isFirst: Bool
    /// The number of bytes that may wait to be taken before the connection is paused; nil for no limit.
    private let pauseAt: Int?
    /// The maximum number of bytes of the body.
    let bodyLimit: Int
    private let transport: HTTPTransport
    /// Called when the request is sent; returns the alarm for the head.
    private let onSent: @Sendable (Exchange) -> Alarm
    private let state: Mutex<State>

    init(
        _ request: OutgoingRequest, isFirst: Bool, bodyLimit: Int, pauseAt: Int?, by transport: HTTPTransport,
        onSent: @escaping @Sendable (Exchange) -> Alarm
    ) {
        (self.request, self.isFirst, self.bodyLimit, self.pauseAt) = (request, isFirst, bodyLimit, pauseAt)
        (self.transport, self.onSent) = (transport, onSent)
        state = Mutex(State(parser: ResponseHeadParser(answered: request.answered), limit: bodyLimit))
    }

    /// The connection that carries the request; nil before it is sent.
    var use: ConnectionUse? { state.withLock(\.use) }
}

// MARK: - For the task

extension Exchange {
    /// Waits for the head of the final response.
    func head() async throws(DownloadError) -> ResponseHead {
        await wait()
        return try state.withLock { state throws(DownloadError) in
            if state.parser.isComplete, let head = state.parser.head {
                state.isHeadTaken = true
                return head
            }
            try state.end?.get()
            throw .response(.transport(.malformedResponse("it is no HTTP")))
        }
    }

    /// Waits for bytes of the body and returns all that have arrived, or nil at its end.
    func next() async throws(DownloadError) -> Data? {
        await wait()
        let (bytes, isResumed) = try state.withLock { state throws(DownloadError) -> (Data?, Bool) in
            guard !state.bytes.isEmpty else {
                try state.end?.get()
                return (nil, false)
            }
            defer { (state.bytes, state.isPaused) = (Data(), false) }
            return (state.bytes, state.isPaused)
        }
        if isResumed { transport.post(.resume(self)) }
        return bytes
    }

    /// Cancels the alarm for the head, because the head has arrived or will not.
    func finishAlarm() { state.withLock { $0.alarm?.cancel() } }

    /// Ends the exchange; does nothing after its end.
    func cancel() { fail(.cancelled) }

    /// Reads the rest of a short body, so that the connection can be used again; ends a longer or slow body.
    func discardBody() {
        let (isOver, isPaused) = state.withLock { state in
            defer { (state.isHeadTaken, state.bytes, state.isPaused) = (true, Data(), false) }
            state.limit = min(state.limit, state.received + Self.discarded.bytes)
            return (state.end != nil, state.isPaused)
        }
        if isPaused { transport.post(.resume(self)) }
        if !isOver { TimerQueue.shared.add(after: Self.discarded.time) { self.cancel() } }
    }

    /// The size and time up to which an unwanted body is read to its end.
    private static let discarded = (bytes: 64 << 10, time: Duration.seconds(1))

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isReady { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }
}

// MARK: - For the thread

extension Exchange {
    /// Whether any line of a response was received.
    var hasAnswer: Bool { state.withLock { $0.parser.head != nil } }

    /// The head, if it is complete.
    var answer: ResponseHead? { state.withLock { $0.parser.isComplete ? $0.parser.head : nil } }

    /// Forgets an answer that is not complete, because the request is sent again.
    func restart() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.parser, state.use, state.alarm) = (ResponseHeadParser(answered: request.answered), nil, nil)
        }
    }

    var isOver: Bool { state.withLock { $0.end != nil } }

    /// Records that the request is sent on a connection; returns false if no task waits for it any more.
    func didConnect(_ use: ConnectionUse) -> Bool {
        let alarm = onSent(self)
        return state.withLock { state in
            state.use = use
            state.alarm?.cancel()
            state.alarm = alarm
            if state.end != nil { alarm.cancel() }
            return state.end == nil
        }
    }

    /// Adds one line of a head or of trailers; returns false if the transfer must end.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        let isTaken = state.withLock { state in
            guard state.end == nil else { return true }
            return state.parser.add(line)
        }
        if !isTaken { fail(.response(.transport(.malformedResponse("its head is too long")))) }
        return isTaken
    }

    /// Adds bytes of the body.
    func receive(body bytes: UnsafeRawBufferPointer) -> alcedo_body {
        let reception = state.withLock { state -> alcedo_body in
            if let pauseAt, state.isHeadTaken, state.bytes.count >= pauseAt, state.end == nil {
                state.isPaused = true
                return alcedo_body_paused
            }
            state.received += bytes.count
            if state.received > state.limit, state.end == nil {
                state.end = .failure(.response(.tooLarge(limit: bodyLimit)))
            }
            guard state.end == nil else { return alcedo_body_refused }
            if state.received == bytes.count, case .bytes(let length)? = state.parser.head?.declaredLength {
                state.bytes.reserveCapacity(min(length, 8 << 20))
            }
            state.bytes.append(contentsOf: bytes)
            return alcedo_body_taken
        }
        if reception != alcedo_body_paused { transport.receivedBytes.wrappingAdd(bytes.count, ordering: .relaxed) }
        return reception
    }

    /// Ends the exchange, unless it has ended.
    func end(_ result: Result<Void, DownloadError>) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = result
            if case .success = result { state.parser.finish() }
        }
    }

    /// Resumes the waiting task if there is something for it.
    func notify() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.isReady else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Ends the exchange with an error and tells the thread.
    func fail(_ error: DownloadError) {
        let isFirst = state.withLock { state in
            guard state.end == nil else { return false }
            state.end = .failure(error)
            return true
        }
        guard isFirst else { return }
        notify()
        transport.post(.cancel(self))
    }
}
