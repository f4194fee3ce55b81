import FoundationEssentials
import Synchronization

/// A server on 127.0.0.1 that serves a folder's pictures slowly, like servers on the web.
///
/// One address redirects, one is busy at first (503, `Retry-After: 1`), and one does not exist; see ``urls``.
package final class DemoServer: Sendable {
    /// The port assigned by the system.
    package let port: Int
    /// The addresses to browse: every picture once, and one address that fails permanently.
    package let urls: [String]
    private let listener: LoopbackListener

    private init(listener: LoopbackListener, paths: [String]) {
        self.listener = listener
        port = listener.port
        urls = paths.map { "http://127.0.0.1:\(listener.port)\($0)" }
    }

    /// Serves the pictures of a folder until ``stop()``.
    ///
    /// - Parameters:
    ///   - rate: The speed of a connection in bytes per second, 120,000 by default; each picture gets 0.3 to 2.4 times
    ///     as much, and nil means unlimited.
    ///   - clock: The clock that times the pieces.
    /// - Throws: ``LoopbackError``.
    package static func start(
        pictures folder: URL, rate: Int? = 120_000, clock: any Clock<Duration> = ContinuousClock()
    ) async throws(LoopbackError) -> DemoServer {
        let site = DemoSite(pictures: try DemoPicture.read(folder), rate: rate)
        let paths = site.paths
        let session = Session(site: site, clock: clock)
        let listener = try LoopbackListener.start { await session.serve($0) }
        return DemoServer(listener: listener, paths: paths)
    }

    /// Closes every connection and stops listening; further calls do nothing.
    package func stop() async {
        await listener.stop()
    }
}

/// The state that all connections share.
private final class Session: Sendable {
    private let site: Mutex<DemoSite>
    private let clock: any Clock<Duration>

    init(site: DemoSite, clock: any Clock<Duration>) {
        self.site = Mutex(site)
        self.clock = clock
    }

    /// Answers the requests of a connection to its end.
    func serve(_ connection: LoopbackConnection) async {
        // A client that disconnects early is not an error.
        try? await answer(connection)
    }

    private func answer(_ connection: LoopbackConnection) async throws {
        var buffer = HeadBuffer()
        while !buffer.isTooLong {
            let bytes = try await connection.read()
            if bytes.isEmpty { return }
            buffer.append(bytes)
            while let head = buffer.next() {
                guard let request = DemoRequest(head: head) else {
                    let refusal = DemoResponse.text(.badRequest, "No such request.\n", headers: ["Connection": "close"])
                    return try await send(refusal, hasBody: true, connection)
                }
                var response = site.withLock { $0.response(to: request) }
                if !request.isKeepAlive { response.headers.add("Connection", "close") }
                try await send(response, hasBody: request.method != "HEAD", connection)
                if !request.isKeepAlive { return }
            }
        }
    }

    private func send(_ response: DemoResponse, hasBody: Bool, _ connection: LoopbackConnection) async throws {
        try await connection.write(response.head)
        var rest = hasBody ? response.body : []
        while !rest.isEmpty {
            try await connection.write(rest.prefix(response.pacing.piece))
            rest = rest.dropFirst(response.pacing.piece)
            if response.pacing.pause > .zero { try await clock.sleep(for: response.pacing.pause) }
        }
    }
}
