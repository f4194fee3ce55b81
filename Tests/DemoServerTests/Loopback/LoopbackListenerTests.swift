import NIOCore
import Testing

@testable import DemoServer

@Suite(.timeLimit(.minutes(1))) struct LoopbackListenerTests {
    /// However a connection and the end cross, the client hears that it is over.
    @Test func `stopping ends connections that are being made`() async throws {
        for _ in 0..<200 {
            let listener = try await LoopbackListener.start { channel in
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            } serve: { connection in
                try? await connection.executeThenClose { inbound, _ in for try await _ in inbound {} }
            }
            async let first = try? RawClient.exchange("x", port: listener.port)
            async let second = try? RawClient.exchange("", port: listener.port)
            await listener.stop()
            #expect(await first?.bytes ?? [] == [])
            #expect(await second?.bytes ?? [] == [])
        }
    }
}
