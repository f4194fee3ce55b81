import AlcedoDemoServer
import Synchronization
import TestSupport

/// A server on 127.0.0.1 that speaks HTTP/2, and HTTP/1.1 with clients that begin with that.
package final class HTTP2Server: Sendable {
    /// Returns the answer to a request; may wait.
    package typealias Responder = @Sendable (HTTP2Request) async -> HTTP2Answer

    /// One element a connection.
    package let connections = Recorder<Void>()
    /// The fields of each request.
    package let fields = Recorder<HTTP2Fields>()
    /// All requests in the order of their coming.
    package let requests = Recorder<HTTP2Request>()
    /// The requests that wait for their answer.
    package let open = OpenRequests()

    let streamsPerConnection: Int?
    let responder: Responder
    private let hold = Mutex<@Sendable () async -> Void>({})
    private let numbers = Mutex((turn: 0, connection: 0))
    private let sockets = Mutex<[Int: LoopbackConnection]>([:])
    private let line = Mutex<(listener: LoopbackListener, relay: TLSRelay?)?>(nil)

    private init(streamsPerConnection: Int?, responder: @escaping Responder) {
        self.streamsPerConnection = streamsPerConnection
        self.responder = responder
    }

    /// Listens until ``stop()``.
    ///
    /// - Parameters:
    ///   - tls: names the protocols, "h2" if it names none; nil is a server without TLS.
    ///   - streamsPerConnection: after so many streams of a connection the server sends GOAWAY without an error, answers
    ///     those, ignores others, and closes.
    /// - Throws: ``LoopbackError``.
    package static func start(
        tls: ServerTLS?, streamsPerConnection: Int? = nil, responder: @escaping Responder
    ) async throws(LoopbackError) -> HTTP2Server {
        var tls = tls
        if tls?.protocols.isEmpty == true { tls?.protocols = ["h2"] }
        let server = HTTP2Server(streamsPerConnection: streamsPerConnection, responder: responder)
        let listener = try LoopbackListener.start { await server.serve($0) }
        let relay = try await TLSRelay.start(tls, inFrontOf: listener)
        server.line.withLock { $0 = (listener, relay) }
        return server
    }

    package var port: Int { line.withLock { $0?.relay?.port ?? $0?.listener.port ?? 0 } }

    package var url: String { url("/x") }

    package func url(_ path: String) -> String {
        let scheme = line.withLock { $0?.relay == nil } ? "http" : "https"
        return "\(scheme)://127.0.0.1:\(port)\(path)"
    }

    /// Makes the requests that come from now on wait before they are answered.
    package func hold(_ wait: @escaping @Sendable () async -> Void) { hold.withLock { $0 = wait } }

    /// Ends every connection.
    package func disconnect() async {
        for socket in sockets.withLock(\.values) { socket.close() }
    }

    /// Closes every connection and stops listening; further calls do nothing.
    package func stop() async {
        guard let line = line.withLock(\.self) else { return }
        await line.listener.stop()
        await line.relay?.stop()
    }

    private func serve(_ socket: LoopbackConnection) async {
        let number = numbers.withLock { numbers in
            numbers.connection += 1
            return numbers.connection
        }
        sockets.withLock { $0[number] = socket }
        connections.add(())
        await HTTP2Connection(socket: socket, server: self, number: number).serve()
        sockets.withLock { $0[number] = nil }
    }

    /// Records a request and returns its answer.
    func answer(_ list: [HTTP2Field], connection: Int, stream: Int) async -> HTTP2Answer {
        let turn = numbers.withLock { numbers in
            defer { numbers.turn += 1 }
            return numbers.turn
        }
        let request = HTTP2Request(turn: turn, connection: connection, stream: stream, fields: HTTP2Fields(list: list))
        open.begin()
        defer { open.end() }
        fields.add(request.fields)
        requests.add(request)
        let wait = hold.withLock(\.self)
        await wait()
        return await responder(request)
    }
}

/// The number of open requests, and the largest number so far.
package final class OpenRequests: Sendable {
    private let counts = Mutex((now: 0, largest: 0))

    package var largest: Int { counts.withLock(\.largest) }

    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.largest = max(counts.largest, counts.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}
