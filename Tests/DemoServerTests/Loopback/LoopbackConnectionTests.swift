import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct LoopbackConnectionTests {
    /// Serves one connection and returns what both sides say.
    private func meet<Result: Sendable>(
        _ serve: @escaping @Sendable (LoopbackConnection) async -> Void,
        _ act: (LoopbackConnection) async throws -> Result
    ) async throws -> Result {
        let listener = try LoopbackListener.start(serve: serve)
        let connection = try await LoopbackConnection.connect(port: listener.port)
        let result = try await act(connection)
        connection.close()
        await listener.stop()
        return result
    }

    @Test func `many bytes arrive in order although the peer is slow to read`() async throws {
        let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }
        let (received, end) = try await meet { connection in
            try? await connection.write(bytes)
        } _: {
            await RawClient.everything($0)
        }
        #expect(received == bytes)
        #expect(end == .closed)
    }

    @Test func `both sides may read and write at the same time`() async throws {
        let bytes = [UInt8](repeating: 3, count: 2_000_000)
        let echoed = try await meet { connection in
            while let piece = try? await connection.read(), !piece.isEmpty { try? await connection.write(piece) }
        } _: { connection in
            let writing = Task {
                try await connection.write(bytes)
                connection.finishWriting()
            }
            let (received, _) = await RawClient.everything(connection)
            try await writing.value
            return received.count
        }
        #expect(echoed == bytes.count)
    }

    @Test func `closing with unread bytes does not reset the connection`() async throws {
        let (received, end) = try await meet { connection in
            _ = try? await connection.read()
            try? await connection.write(Array("bye".utf8))
        } _: { connection in
            try await connection.write([UInt8](repeating: 1, count: 100_000))
            return await RawClient.everything(connection)
        }
        #expect(received == Array("bye".utf8))
        #expect(end == .closed)
    }

    @Test func `reset is seen as a connection reset`() async throws {
        let end = try await meet {
            // A client may see a reset that comes at once as a failure to connect.
            _ = try? await $0.read()
            $0.reset()
        } _: {
            try await $0.write([1])
            return await RawClient.everything($0).end
        }
        #expect(end == .reset)
    }

    @Test func `hangUp returns although bytes are unread`() async throws {
        let heard = AsyncStream.makeStream(of: Int.self)
        let count = try await meet { connection in
            try? await connection.hangUp()
            heard.continuation.yield((try? await connection.read())?.count ?? -1)
        } _: { connection in
            try await connection.write([1, 2, 3])
            connection.finishWriting()
            for await count in heard.stream { return count }
            return -1
        }
        #expect(count == 3)
    }

    @Test func `closing ends pending reads and hangUps`() async throws {
        try await meet { connection in
            try? await connection.hangUp()
        } _: { connection in
            async let read: Void = {
                await #expect(throws: ConnectionError.closed) { try await connection.read() }
            }()
            async let hangUp: Void = { try? await connection.hangUp() }()
            connection.close()
            _ = await (read, hangUp)
            await #expect(throws: ConnectionError.closed) { try await connection.write([1]) }
        }
    }

    @Test func `writing to a disconnected client is an error, not a signal`() async throws {
        let errors = AsyncStream.makeStream(of: ConnectionError.self)
        let error = try await meet { connection in
            do throws(ConnectionError) {
                while true { try await connection.write([UInt8](repeating: 0, count: 10_000)) }
            } catch {
                errors.continuation.yield(error)
            }
        } _: { connection in
            connection.close()
            for await error in errors.stream { return Optional(error) }
            return nil
        }
        #expect(error == .reset)
    }
}
