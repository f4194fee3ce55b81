import Foundation
import NIOCore
import NIOPosix

/// Plays scripts on one connection; each send returns when the system has accepted the bytes.
struct FaultPlayer: Sendable {
    let channel: any Channel
    let clock: any Clock<Duration>

    /// The size of a piece when many bytes are sent.
    private static let piece = 64 * 1024

    /// Signals that the script closed the connection; the client's earlier bytes are not read.
    struct ConnectionClosed: Error {}

    /// Plays a script; throws when the script or the client closes the connection.
    func play(_ script: FaultScript) async throws {
        for step in script.steps { try await play(step) }
    }

    private func play(_ step: FaultStep) async throws {
        switch step {
        case .send(let bytes): try await send(bytes)
        case .fill(let byte, let count): try await fill(byte, count)
        case .drip(let bytes, let pause):
            for byte in bytes {
                try await send([byte])
                try await clock.sleep(for: pause)
            }
        case .wait(let gate):
            await gate.wait()
            try Task.checkCancellation()
        case .stall:
            try await channel.closeFuture.get()
            throw ConnectionClosed()
        case .endless(let bytes):
            while !bytes.isEmpty { try await send(bytes) }
        case .tunnel(let port):
            try await Tunnel.run(between: channel, andPort: port)
            throw ConnectionClosed()
        case .close:
            try await channel.close()
            throw ConnectionClosed()
        case .reset: try await reset()
        }
    }

    private func send(_ bytes: [UInt8]) async throws {
        if !bytes.isEmpty { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }
    }

    private func fill(_ byte: UInt8, _ count: Int) async throws {
        let whole = [UInt8](repeating: byte, count: min(max(0, count), Self.piece))
        var left = max(0, count)
        while left > 0 {
            try await send(Array(whole.prefix(left)))
            left -= min(left, whole.count)
        }
    }

    private func reset() async throws {
        let socket = channel as? any SocketOptionProvider
        try await socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close()
        throw ConnectionClosed()
    }
}

/// Relays bytes between a client and a server of its choice, as a proxy does.
enum Tunnel {
    static func run(between channel: any Channel, andPort port: Int) async throws {
        let peer = try await ClientBootstrap(group: channel.eventLoop)
            .connect(host: "127.0.0.1", port: port)
            .get()
        try await attach(from: peer, to: channel)
        try await attach(from: channel, to: peer)
        // Sent last: the client's next bytes are for the server.
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

/// Forwards incoming bytes to another connection, and closes it when this one closes.
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
