import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// A server on 127.0.0.1 that shows a folder's pictures slowly, as the open web would.
///
/// One address redirects, one is busy once (503, `Retry-After: 1`), and one does not exist; see ``urls``.
public final class DemoServer: Sendable {
    /// The port the system chose.
    public let port: Int
    /// What to browse: every picture once, and one address that fails for good.
    public let urls: [String]
    private let listener: LoopbackListener

    /// Open connections served at once at most; more are closed.
    public static let connectionLimit = 256

    private init(listener: LoopbackListener, paths: [String]) {
        self.listener = listener
        port = listener.port
        urls = paths.map { "http://127.0.0.1:\(listener.port)\($0)" }
    }

    /// Serves the pictures of the folder until ``stop()``.
    ///
    /// `rate` is in bytes a second for one connection, by default 120,000; the pictures get 0.3 to 2.4 times as much
    /// by turns; nil is as fast as can be. The clock paces the pieces.
    /// Throws ``LoopbackError``.
    public static func start(
        pictures folder: URL, rate: Int? = 120_000, clock: any Clock<Duration> = ContinuousClock()
    ) async throws(LoopbackError) -> DemoServer {
        let site = DemoSite(pictures: try DemoPicture.read(folder), rate: rate)
        let paths = site.paths
        let session = Session(site: site, clock: clock)
        let listener = try await LoopbackListener.start(connections: connectionLimit) { channel in
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            return try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
                wrappingChannelSynchronously: channel)
        } serve: { connection in
            await session.serve(connection)
        }
        return DemoServer(listener: listener, paths: paths)
    }

    /// Ends every connection and stops listening; harmless a second time.
    public func stop() async {
        await listener.stop()
    }
}

/// What all connections share.
private final class Session: Sendable {
    private let site: Mutex<DemoSite>
    private let clock: any Clock<Duration>

    init(site: DemoSite, clock: any Clock<Duration>) {
        self.site = Mutex(site)
        self.clock = clock
    }

    func serve(_ connection: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>) async {
        // A client that leaves in the middle is no failure of ours.
        try? await connection.executeThenClose { inbound, outbound in
            for try await part in inbound {
                guard case .head(let request) = part else { continue }
                try await send(self.site.withLock { $0.answer(to: request) }, to: request, outbound)
                if !request.isKeepAlive { return }
            }
        }
    }

    private func send(
        _ answer: DemoAnswer, to request: HTTPRequestHead,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        try await outbound.write(.head(.init(version: .http1_1, status: answer.status, headers: answer.headers)))
        var rest = request.method == .HEAD ? [] : answer.body
        while !rest.isEmpty {
            try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: rest.prefix(answer.pacing.piece)))))
            rest = rest.dropFirst(answer.pacing.piece)
            if answer.pacing.pause > .zero { try await clock.sleep(for: answer.pacing.pause) }
        }
        try await outbound.write(.end(nil))
    }
}
