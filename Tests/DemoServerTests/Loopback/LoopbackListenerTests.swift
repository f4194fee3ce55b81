import TestSupport
import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct LoopbackListenerTests {
    /// However a connection and the end cross, the client hears that it is over.
    @Test func `stopping ends connections that are being established`() async throws {
        for _ in 0..<200 {
            let listener = try LoopbackListener.start { connection in
                while let bytes = try? await connection.read(), !bytes.isEmpty {}
            }
            async let first = try? RawClient.exchange("x", port: listener.port)
            async let second = try? RawClient.exchange("", port: listener.port)
            await listener.stop()
            #expect(await first?.bytes ?? [] == [])
            #expect(await second?.bytes ?? [] == [])
        }
    }

    @Test func `stopping cancels and closes running connections`() async throws {
        let ends = Recorder<Bool>()
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let listener = try LoopbackListener.start { connection in
            arrival.yield()
            await #expect(throws: ConnectionError.closed) { try await connection.read() }
            ends.add(Task.isCancelled)
        }
        let client = try await RawClient.connect(listener.port)
        for await _ in arrivals { break }
        await listener.stop()
        #expect(ends.all == [true])
        #expect(await RawClient.everything(client).end == .closed)
    }

    @Test func `after stopping the port is closed`() async throws {
        let listener = try LoopbackListener.start { _ in }
        await listener.stop()
        await listener.stop()
        await #expect(throws: ConnectionError.self) { try await RawClient.connect(listener.port) }
    }
}
