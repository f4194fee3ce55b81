import Foundation
import Synchronization

/// The transport of a downloader: it passes exchanges to the thread of the transfers, which starts with the first one.
final class HTTPTransport: Sendable {
    private struct State {
        var isDraining = false
        /// The first requests of transfers that are not sent yet, or recently were.
        var unsent: [ObjectIdentifier: Exchange] = [:]
    }

    let inbox = TransferInbox()
    private let setup: TransferSetup
    private let state = Mutex(State())

    init(_ configuration: DownloaderConfiguration) { setup = TransferSetup(configuration) }

    deinit { shutdown() }

    /// Closes all connections; running requests fail.
    func shutdown() { inbox.stop() }

    /// Prevents further transfers from starting, and cancels those whose first request is not sent yet.
    func drain() {
        let exchanges = state.withLock { state in
            state.isDraining = true
            return Array(state.unsent.values)
        }
        for exchange in exchanges where exchange.use == nil { exchange.cancel() }
    }

    /// Sends the request of an exchange and waits for the head of its response.
    func send(_ exchange: Exchange) async throws(DownloadError) -> ResponseHead {
        if let problem = CurlLibrary.problem() { throw .response(.transport(.environment(problem))) }
        let id = ObjectIdentifier(exchange)
        let isRefused = state.withLock { state in
            if state.isDraining, exchange.isFirst { return true }
            if exchange.isFirst { state.unsent[id] = exchange }
            return false
        }
        if isRefused { throw .cancelled }
        defer { if exchange.isFirst { state.withLock { _ = $0.unsent.removeValue(forKey: id) } } }
        switch inbox.send(.start(exchange)) {
        case .sent: break
        case .needsThread: TransferLoop.start(inbox, setup)
        case .dropped: throw .shutDown
        }
        return try await exchange.head()
    }
}

extension DownloadError {
    static let shutDown = DownloadError.response(.transport(.other("the downloader was shut down")))
}
