import AlcedoDemoServer

/// Plays scripts on one connection; each send returns when the system has accepted the bytes.
struct FaultPlayer: Sendable {
    let connection: LoopbackConnection
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
            try await connection.hangUp()
            throw ConnectionClosed()
        case .endless(let bytes):
            while !bytes.isEmpty { try await send(bytes) }
        case .tunnel(let port):
            try await Tunnel.run(between: connection, andPort: port)
            throw ConnectionClosed()
        case .close:
            connection.close()
            throw ConnectionClosed()
        case .reset:
            connection.reset()
            throw ConnectionClosed()
        }
    }

    private func send(_ bytes: [UInt8]) async throws {
        try await connection.write(bytes)
    }

    private func fill(_ byte: UInt8, _ count: Int) async throws {
        let whole = [UInt8](repeating: byte, count: min(max(0, count), Self.piece))
        var left = max(0, count)
        while left > 0 {
            try await send(Array(whole.prefix(left)))
            left -= min(left, whole.count)
        }
    }
}

/// Relays bytes between a client and a server of its choice, as a proxy does.
enum Tunnel {
    static func run(between client: LoopbackConnection, andPort port: Int) async throws {
        let server = try await LoopbackConnection.connect(port: port)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    try? await client.write(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
                    await forward(from: server, to: client)
                }
                group.addTask { await forward(from: client, to: server) }
            }
        } onCancel: {
            server.close()
        }
    }

    /// Forwards bytes until one side ends, and then ends both.
    private static func forward(from source: LoopbackConnection, to target: LoopbackConnection) async {
        while let bytes = try? await source.read(), !bytes.isEmpty {
            guard (try? await target.write(bytes)) != nil else { break }
        }
        source.close()
        target.close()
    }
}
