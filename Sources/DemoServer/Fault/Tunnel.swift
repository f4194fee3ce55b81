import NIOCore
import NIOPosix

/// Carries bytes between a client and a server of its choice, as a proxy does.
enum Tunnel {
    static func run(between channel: any Channel, andPort port: Int) async throws {
        let peer = try await ClientBootstrap(group: channel.eventLoop)
            .connect(host: "127.0.0.1", port: port)
            .get()
        try await attach(from: peer, to: channel)
        try await attach(from: channel, to: peer)
        // Said last: the client's next bytes are the server's.
        try await channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
        try? await channel.closeFuture.get()
        try? await peer.close()
    }

    private static func attach(from source: any Channel, to target: any Channel) async throws {
        try await source.eventLoop.submit {
            try source.pipeline.syncOperations.addHandler(TunnelHandler(target: target), position: .first)
        }.get()
    }
}

/// Hands what comes in to another connection, which ends with this one.
private final class TunnelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let target: any Channel

    init(target: any Channel) { self.target = target }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        target.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        target.close(promise: nil)
        context.fireChannelInactive()
    }
}
