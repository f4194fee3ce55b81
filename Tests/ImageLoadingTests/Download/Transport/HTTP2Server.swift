import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A server on 127.0.0.1 that speaks HTTP/2 only and answers everything with the same body, after its gate.
final class HTTP2Server: Sendable {
    /// One element a connection.
    let connections = Recorder<Void>()
    /// The fields of each request, those that matter here.
    let fields = Recorder<[String: [String]]>()
    private let gate: Mutex<Gate>
    private let body: [UInt8]
    private let listening = Mutex<(any Channel)?>(nil)

    private init(body: [UInt8], gate: Gate) {
        self.body = body
        self.gate = Mutex(gate)
    }

    var url: String { "https://127.0.0.1:\(listening.withLock { $0?.localAddress?.port } ?? 0)/x" }

    /// Makes the requests that come wait at another gate.
    func hold(at other: Gate) { gate.withLock { $0 = other } }

    func stop() async { try? await listening.withLock(\.self)?.close() }

    /// Answers at once when there is no gate.
    static func start(_ identity: TestIdentity, body: [UInt8], gate: Gate? = nil) async throws -> HTTP2Server {
        let server = HTTP2Server(body: body, gate: gate ?? Gate())
        if gate == nil { await server.gate.withLock(\.self).open() }
        let context = try identity.serverContext(protocols: ["h2"])
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                server.connections.add(())
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            let codec = HTTP2FramePayloadToHTTP1ServerCodec()
                            try stream.pipeline.syncOperations.addHandlers(codec, Answerer(server: server))
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listening.withLock { $0 = channel }
        return server
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: HTTP2Server

        init(server: HTTP2Server) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            server.fields.add(
                ["x-key": head.headers["x-key"], ExchangeKey.field: head.headers[ExchangeKey.field]])
            let gate = server.gate.withLock(\.self)
            let channel = context.channel
            let body = server.body
            Task {
                await gate.pass()
                let head = HTTPResponseHead(version: .http2, status: .ok, headers: ["content-type": "image/png"])
                channel.write(HTTPServerResponsePart.head(head), promise: nil)
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
                try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
            }
        }
    }
}

private enum ExchangeKey { static let field = "x-exchange" }
