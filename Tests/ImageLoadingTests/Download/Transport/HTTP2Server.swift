import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// A server on 127.0.0.1 that speaks HTTP/2 only and answers everything with the same body, after its gate.
final class HTTP2Server: Sendable {
    /// One element a connection.
    let connections = Recorder<Void>()
    /// The fields of each request, those that matter here.
    let fields = Recorder<[String: [String]]>()
    /// How much may be sent of each stream, and how much more of all, as the clients said.
    let windows = Recorder<Window>()

    enum Window: Equatable, Sendable {
        case stream(Int)
        case connection(Int)
    }

    /// The requests that wait for their answer.
    let open = OpenRequests()

    private let gate: Mutex<Gate>
    private let body: [UInt8]
    private let listening = Mutex<(any Channel)?>(nil)
    private let channels = Mutex<[any Channel]>([])

    private init(body: [UInt8], gate: Gate) {
        self.body = body
        self.gate = Mutex(gate)
    }

    var url: String { "https://127.0.0.1:\(listening.withLock { $0?.localAddress?.port } ?? 0)/x" }

    /// Makes the requests that come wait at another gate.
    func hold(at other: Gate) { gate.withLock { $0 = other } }

    /// Ends every connection.
    func disconnect() async {
        let channels = channels.withLock { channels in
            defer { channels = [] }
            return channels
        }
        for channel in channels { try? await channel.close() }
    }

    func stop() async { try? await listening.withLock(\.self)?.close() }

    /// Answers at once when there is no gate.
    static func start(_ identity: TestIdentity, body: [UInt8], gate: Gate? = nil) async throws -> HTTP2Server {
        let server = HTTP2Server(body: body, gate: gate ?? Gate())
        if gate == nil { await server.gate.withLock(\.self).open() }
        let context = try identity.serverContext(protocols: ["h2"])
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                server.connections.add(())
                server.channels.withLock { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    let streams = HTTP2StreamMultiplexer(mode: .server, channel: channel) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            let codec = HTTP2FramePayloadToHTTP1ServerCodec()
                            try stream.pipeline.syncOperations.addHandlers(codec, Answerer(server: server))
                        }
                    }
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLServerHandler(context: context), NIOHTTP2Handler(mode: .server),
                        WindowRecorder(windows: server.windows), streams)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listening.withLock { $0 = channel }
        return server
    }

    private final class WindowRecorder: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame

        private let windows: Recorder<Window>

        init(windows: Recorder<Window>) { self.windows = windows }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .settings(.settings(let settings)):
                for setting in settings where setting.parameter == .initialWindowSize {
                    windows.add(.stream(setting.value))
                }
            case .windowUpdate(let amount) where frame.streamID == .rootStream: windows.add(.connection(amount))
            default: break
            }
            context.fireChannelRead(data)
        }
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
            let open = server.open
            open.begin()
            Task {
                await gate.pass()
                open.end()
                let head = HTTPResponseHead(version: .http2, status: .ok, headers: ["content-type": "image/png"])
                channel.write(HTTPServerResponsePart.head(head), promise: nil)
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
                try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
            }
        }
    }
}

/// How many requests are open, and how many have been at a time.
final class OpenRequests: Sendable {
    private let counts = Mutex((now: 0, largest: 0))

    var largest: Int { counts.withLock(\.largest) }

    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.largest = max(counts.largest, counts.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}

private enum ExchangeKey { static let field = "x-exchange" }
