import AsyncHTTPClient
import NIOHTTP1

/// Waits for a response's head, but not for too long.
struct HeadWatch: Sendable {
    let limits: DownloadLimits
    let clock: TransferClock
    /// When the transfer began.
    let started: Duration
    let deadlines: Deadlines

    /// The head of the response that `send` gets; its error, explained, or a time-out.
    func head(
        of exchange: Exchange, by send: () async throws -> HTTPClientResponse,
        orExplain explain: (DownloadError) async -> DownloadError
    ) async throws(DownloadError) -> HTTPClientResponse {
        let total = limits.total.map { alarm(after: started + $0 - clock.now(), .total) }
        // The head's time begins when the request is sent; before that, connecting has its own.
        exchange.onDeparture { alarm(after: limits.head, .head) }
        let answer = await answer(by: send, explain)
        exchange.end()
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
            // The tunnel's own challenge, whose fields the client keeps to itself.
            return .success(HTTPClientResponse(status: .proxyAuthenticationRequired))
        } catch {
            return .failure(await explain(TransportErrors.downloadError(from: error, stage: .head)))
        }
    }
}
