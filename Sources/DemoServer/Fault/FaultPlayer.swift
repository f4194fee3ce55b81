import Foundation
import NIOCore
import NIOPosix

/// Plays scripts on one connection; each send returns when the system has taken the bytes.
struct FaultPlayer: Sendable {
    let channel: any Channel
    let clock: any Clock<Duration>

    /// Bytes sent at once when many are sent.
    private static let piece = 64 * 1024

    /// The script has ended the connection: what the client sent before is not read.
    struct Ended: Error {}

    /// Throws when the connection has ended, by the script or by the client.
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
            throw Ended()
        case .endless(let bytes):
            while !bytes.isEmpty { try await send(bytes) }
        case .tunnel(let port):
            try await Tunnel.run(between: channel, andPort: port)
            throw Ended()
        case .close:
            try await channel.close()
            throw Ended()
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
        throw Ended()
    }
}
