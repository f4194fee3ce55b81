import AsyncHTTPClient
import NIOHTTP1

/// Waits for a response's head, but not for too long.
struct HeadWatch: Sendable {
    let limits: DownloadLimits
    let clock: TransferClock
    /// When the transfer began.
    let started: Duration

    private enum Event: Sendable {
        case head(HTTPClientResponse)
        case failure(ImageError)
        case late(ImageError.TimeoutStage)
        case stopped
    }

    /// The head of the response that `send` gets; its error, explained, or a time-out.
    func head(
        of exchange: Exchange, by send: @escaping @Sendable () async throws -> HTTPClientResponse,
        orExplain explain: @escaping @Sendable (ImageError) async -> ImageError
    ) async throws(ImageError) -> HTTPClientResponse {
        let event = await withTaskGroup(of: Event.self) { group in
            group.addTask { await answer(by: send, explain) }
            group.addTask { await lateness(of: exchange) }
            if let end = limits.total.map({ started + $0 }) {
                group.addTask { await sleep(end - clock.now()) ? .late(.total) : .stopped }
            }
            let first = await group.next() ?? .stopped
            group.cancelAll()
            return first
        }
        if Task.isCancelled { throw .cancelled }
        switch event {
        case .head(let response): return response
        case .failure(let error): throw error
        case .late(let stage): throw .response(.timedOut(stage))
        case .stopped: throw .cancelled
        }
    }

    private func answer(
        by send: @Sendable () async throws -> HTTPClientResponse, _ explain: @Sendable (ImageError) async -> ImageError
    ) async -> Event {
        do {
            return .head(try await send())
        } catch let error as HTTPClientError where error == .proxyAuthenticationRequired {
            // The tunnel's own challenge, whose fields the client keeps to itself.
            return .head(HTTPClientResponse(status: .proxyAuthenticationRequired))
        } catch {
            return .failure(await explain(TransportErrors.imageError(from: error, stage: .head)))
        }
    }

    /// The head's time begins when the request is sent; before that, connecting has its own.
    private func lateness(of exchange: Exchange) async -> Event {
        for await _ in exchange.departures {
            return await sleep(limits.head) ? .late(.head) : .stopped
        }
        return .stopped
    }

    private func sleep(_ duration: Duration) async -> Bool { (try? await clock.sleep(max(duration, .zero))) != nil }
}
