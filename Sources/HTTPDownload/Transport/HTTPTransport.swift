import AlcedoCCurl
import AlcedoHTTPRequests
import Synchronization

/// The transport of a downloader: the queue of commands to the transfer thread, which starts with the first exchange.
final class HTTPTransport: Sendable {
    enum Command: Sendable {
        case start(Exchange)
        case cancel(Exchange)
        case resume(Exchange)
        /// Cancels the first requests of transfers that are not sent yet.
        case drain
    }

    private struct State {
        var commands: [Command] = []
        var isStopped = false
        var isStarted = false
        var isDraining = false
        /// The address of the multi handle, for waking the thread; nil while it does not run.
        var multi: UInt?
        var isWakeUnderWay = false

        /// Adds a command, if there is a thread for it.
        mutating func add(_ command: Command) {
            guard isStarted, !isStopped else { return }
            commands.append(command)
            wake()
        }

        mutating func wake() {
            guard !isWakeUnderWay, let multi = multi.flatMap({ UnsafeMutableRawPointer(bitPattern: $0) }) else {
                return
            }
            isWakeUnderWay = true
            alcedo_curl_multi_wake(multi)
        }
    }

    /// The number of body bytes received so far, also of refused and cancelled transfers.
    let receivedBytes = Atomic(0)
    let setup: TransferSetup
    private let state = Mutex(State())

    init(_ configuration: DownloaderConfiguration) { setup = TransferSetup(configuration) }

    /// Closes all connections; running requests fail.
    func shutdown() {
        state.withLock { state in
            state.isStopped = true
            state.wake()
        }
    }

    /// Prevents further transfers from starting, and cancels those whose first request is not sent yet.
    ///
    /// Running transfers may send further requests.
    func drain() {
        state.withLock { state in
            state.isDraining = true
            state.add(.drain)
        }
    }

    /// Sends the request of an exchange and waits for the head of its response.
    func send(_ exchange: Exchange) async throws(DownloadError) -> ResponseHead {
        if let problem = CurlLibrary.problem() { throw .response(.transport(.environment(problem))) }
        let needsThread = try state.withLock { state throws(DownloadError) in
            if state.isStopped { throw .shutDown }
            if state.isDraining, exchange.isFirst { throw .cancelled }
            let isFirst = !state.isStarted
            state.isStarted = true
            state.add(.start(exchange))
            return isFirst
        }
        if needsThread { TransferLoop.start(self) }
        return try await exchange.head()
    }

    /// Wakes the thread for a command; does nothing without a thread.
    func post(_ command: Command) { state.withLock { $0.add(command) } }
}

// MARK: - For the thread

extension HTTPTransport {
    func open(_ multi: UnsafeMutableRawPointer) { state.withLock { $0.multi = UInt(bitPattern: multi) } }

    /// Takes the commands, or returns nil if the thread must end.
    func take() -> [Command]? {
        state.withLock { state in
            state.isWakeUnderWay = false
            guard !state.isStopped else { return nil }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Fails the requests that are left after the end of the thread.
    func close(_ error: DownloadError) {
        let commands = state.withLock { state in
            state.multi = nil
            defer { state.commands = [] }
            return state.commands
        }
        for case .start(let exchange) in commands { exchange.fail(error) }
    }
}

extension DownloadError {
    static let shutDown = DownloadError.response(.transport(.other("the downloader was shut down")))
    static let noMemory = DownloadError.response(.transport(.environment("there is no memory for the transfer")))
}
