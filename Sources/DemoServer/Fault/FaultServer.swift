import Glibc
import NIOCore
import NIOPosix

/// A raw server on 127.0.0.1 that follows a script for each path, to the byte.
///
/// The first request for a path runs its first script, the second its second, and the last one stays. A path without
/// a script is 404. Every stall and every wait ends when the server stops.
public final class FaultServer: Sendable {
    /// What to play for a request, and how many came for its path before.
    public typealias Answer = @Sendable (RecordedRequest, _ turn: Int) -> FaultScript

    /// Puts handlers into a new connection's pipeline, on its event loop.
    public typealias Preparation = @Sendable (any Channel) throws -> Void

    /// The port the system chose.
    public let port: Int
    private let listener: LoopbackListener
    private let log: RequestLog

    private init(listener: LoopbackListener, log: RequestLog) {
        self.listener = listener
        self.log = log
        port = listener.port
    }

    /// Listens until ``stop()``.
    ///
    /// `onAccept` runs on every new connection before anything is read; none by default. `connections` is the number
    /// open at once, by default 512; more are closed as they come. The clock paces drips. `prepare` sees every new
    /// connection first, to put TLS into its pipeline.
    /// Throws ``LoopbackError``.
    public static func start(
        _ scripts: [String: [FaultScript]], onAccept: FaultScript? = nil, connections: Int = 512,
        clock: any Clock<Duration> = ContinuousClock(), prepare: @escaping Preparation = { _ in }
    ) async throws(LoopbackError) -> FaultServer {
        try await start(onAccept: onAccept, connections: connections, clock: clock, prepare: prepare) {
            request, turn in
            let list = scripts[request.path] ?? []
            return list.isEmpty ? .status(404) : list[min(turn, list.count - 1)]
        }
    }

    /// A server that decides on each request when it has read it.
    public static func start(
        onAccept: FaultScript? = nil, connections: Int = 512, clock: any Clock<Duration> = ContinuousClock(),
        prepare: @escaping Preparation = { _ in }, answer: @escaping Answer
    ) async throws(LoopbackError) -> FaultServer {
        let log = RequestLog()
        let listener = try await LoopbackListener.start(connections: connections) { channel in
            try prepare(channel)
            return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        } serve: { connection in
            let number = await log.accept()
            let player = FaultPlayer(channel: connection.channel, clock: clock)
            let session = FaultSession(script: answer, onAccept: onAccept, log: log, player: player, number: number)
            await session.serve(connection)
        }
        return FaultServer(listener: listener, log: log)
    }

    /// A server with one script a path.
    public static func start(
        _ scripts: [String: FaultScript], clock: any Clock<Duration> = ContinuousClock()
    ) async throws(LoopbackError) -> FaultServer {
        try await start(scripts.mapValues { [$0] }, clock: clock)
    }

    /// Ends every connection and stops listening; harmless a second time.
    public func stop() async {
        await listener.stop()
    }

    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Every request so far, in the order they were read.
    public var requests: [RecordedRequest] {
        get async { await log.requests }
    }

    /// Connections accepted so far.
    public var connections: Int {
        get async { await log.connections }
    }

    /// How many requests came for the path, its query included.
    public func count(of path: String) async -> Int { await log.count(of: path) }

    /// Returns when so many requests came for the path, or the task is cancelled.
    public func arrival(of path: String, count: Int = 1) async {
        await log.arrival(of: path, count).wait()
    }

    /// A port on 127.0.0.1 that nothing listens on: a connection is refused.
    ///
    /// It stays taken until the process ends, so that no other server can be given it meanwhile.
    public static func closedPort() throws(LoopbackError) -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw .noPort }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
