import AsyncHTTPClient
import NIOHTTP1

/// A wait for a response's head, with time limits.
struct ResponseHeadTimeout: Sendable {
    let limits: DownloadLimits
    let clock: TransferClock
    /// The time at which the transfer began.
    let started: Duration
    let deadlines: Deadlines

    /// Sends a request and returns the response's head.
    ///
    /// - Parameters:
    ///   - exchange: The record of the request.
    ///   - send: The function that sends the request.
    ///   - explain: A function that makes the error of a failed request more exact.
    /// - Returns: The response's head and body stream.
    /// - Throws: The explained error, a time-out or the cancellation.
    func head(
        of exchange: Exchange, by send: () async throws -> HTTPClientResponse,
        orExplain explain: (DownloadError) async -> DownloadError
    ) async throws(DownloadError) -> HTTPClientResponse {
        let total = limits.total.map { alarm(after: started + $0 - clock.now(), .total) }
        // The time for the head begins when the request is sent; connecting has its own limit.
        exchange.onDeparture { alarm(after: limits.head, .head) }
        let answer = await answer(by: send, explain)
        exchange.finish()
        total?.cancel()
        if let passed = deadlines.passed { throw passed }
        if Task.isCancelled { throw .cancelled }
        return try answer.get()
    }

    private func alarm(after duration: Duration, _ stage: DownloadError.TimeoutStage) -> Alarm {
        clock.alarm(after: max(duration, .zero)) { [deadlines] in deadlines.pass(.response(.timedOut(stage))) }
    }

    private func answer(
        by send: () async throws -> HTTPClientResponse, _ explain: (DownloadError) async -> DownloadError
    ) async -> Result<HTTPClientResponse, DownloadError> {
        do {
            return .success(try await send())
        } catch let error as HTTPClientError where error == .proxyAuthenticationRequired {
            // The client does not expose the fields of a 407 response to the tunnel's CONNECT request.
            return .success(HTTPClientResponse(status: .proxyAuthenticationRequired))
        } catch {
            return .failure(await explain(TransportErrors.downloadError(from: error, stage: .head)))
        }
    }
}
