import AlcedoHTTPRequests

/// The transport of a downloader: it passes exchanges to the transfer thread, and starts that with the first exchange.
final class HTTPTransport: Sendable {
    let inbox = TransferInbox()
    private let setup: TransferSetup

    init(_ configuration: DownloaderConfiguration) { setup = TransferSetup(configuration) }

    deinit { shutdown() }

    /// Closes all connections; running requests fail.
    func shutdown() { inbox.stop() }

    /// Prevents further transfers from starting, and cancels those whose first request is not sent yet.
    func drain() { inbox.send(.drain) }

    /// Sends the request of an exchange and waits for the head of its response.
    func send(_ exchange: Exchange) async throws(DownloadError) -> ResponseHead {
        if let problem = CurlLibrary.problem() { throw .response(.transport(.environment(problem))) }
        switch inbox.send(.start(exchange)) {
        case .sent: break
        case .needsThread: TransferLoop.start(inbox, setup)
        case .isDraining: throw .cancelled
        case .isStopped: throw .shutDown
        }
        return try await exchange.head()
    }
}

extension DownloadError {
    static let shutDown = DownloadError.response(.transport(.other("the downloader was shut down")))
    static let noMemory = DownloadError.response(.transport(.environment("there is no memory for the transfer")))
}
