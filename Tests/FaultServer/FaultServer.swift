import AlcedoDemoServer

/// A raw server on 127.0.0.1 that plays a script for each path, byte by byte.
///
/// The first request for a path plays its first script, the second its second; the last one is repeated. A path without
/// scripts is 404. Stopping the server ends every stall and every wait.
package final class FaultServer: Sendable {
    /// Returns the script for a request; `turn` is the number of earlier requests for its path.
    package typealias Responder = @Sendable (RecordedRequest, _ turn: Int) -> FaultScript

    /// The port assigned by the system.
    package let port: Int
    private let listener: LoopbackListener
    private let relay: TLSRelay?
    private let log: RequestLog

    private init(listener: LoopbackListener, relay: TLSRelay?, log: RequestLog) {
        self.listener = listener
        self.relay = relay
        self.log = log
        port = relay?.port ?? listener.port
    }

    /// Listens until ``stop()``.
    ///
    /// - Parameters:
    ///   - onAccept: a script played on every new connection before anything is read.
    ///   - clock: paces drips.
    ///   - tls: makes it a server of TLS; scripts play within TLS then.
    /// - Throws: ``LoopbackError``.
    package static func start(
        _ scripts: [String: [FaultScript]], onAccept: FaultScript? = nil,
        clock: any Clock<Duration> = ContinuousClock(), tls: ServerTLS? = nil
    ) async throws(LoopbackError) -> FaultServer {
        try await start(onAccept: onAccept, clock: clock, tls: tls) { request, turn in
            let list = scripts[request.path] ?? []
            return list.isEmpty ? .status(404) : list[min(turn, list.count - 1)]
        }
    }

    /// Starts a server that chooses a script for each request after reading it.
    package static func start(
        onAccept: FaultScript? = nil, clock: any Clock<Duration> = ContinuousClock(),
        tls: ServerTLS? = nil, responder: @escaping Responder
    ) async throws(LoopbackError) -> FaultServer {
        let log = RequestLog()
        let listener = try LoopbackListener.start { connection in
            let number = await log.accept()
            let player = FaultPlayer(connection: connection, clock: clock)
            let session = FaultSession(
                responder: responder, onAccept: onAccept, log: log, player: player, number: number)
            await session.serve()
        }
        let relay = try await TLSRelay.start(tls, inFrontOf: listener)
        return FaultServer(listener: listener, relay: relay, log: log)
    }

    /// Starts a server with one script per path.
    package static func start(
        _ scripts: [String: FaultScript], clock: any Clock<Duration> = ContinuousClock()
    ) async throws(LoopbackError) -> FaultServer {
        try await start(scripts.mapValues { [$0] }, clock: clock)
    }

    /// Closes every connection and stops listening; further calls do nothing.
    package func stop() async {
        await listener.stop()
        await relay?.stop()
    }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All requests so far, in the order of reading.
    package var requests: [RecordedRequest] {
        get async { await log.requests }
    }

    /// The number of accepted connections.
    package var connections: Int {
        get async { await log.connections }
    }

    /// Returns the number of requests for a path including its query.
    package func count(of path: String) async -> Int { await log.count(of: path) }

    /// Waits until a path has been requested `count` times, or the task is cancelled.
    package func arrival(of path: String, count: Int = 1) async {
        await log.arrival(of: path, count).wait()
    }

    /// Returns a port on 127.0.0.1 that refuses connections.
    ///
    /// The port stays bound until the process ends, so that no other server can get it.
    package static func closedPort() throws(LoopbackError) -> Int {
        let descriptor = LoopbackAddress.socket()
        guard let port = LoopbackAddress.bind(descriptor) else { throw .noPort }
        return port
    }
}
