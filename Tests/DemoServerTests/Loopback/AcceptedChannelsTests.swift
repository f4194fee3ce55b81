import NIOCore
import NIOEmbedded
import Testing

@testable import DemoServer

@Suite(.timeLimit(.minutes(1)))
struct AcceptedChannelsTests {
    private let accepted = AcceptedChannels()

    @Test func `all open connections are closed`() async throws {
        let channels = [NIOAsyncTestingChannel(), NIOAsyncTestingChannel()]
        for channel in channels {
            try await channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1))
            accepted.add(channel)
        }
        await accepted.closeAll()
        #expect(channels.allSatisfy { !$0.isActive })
    }

    @Test func `a connection that comes too late is closed`() async throws {
        await accepted.closeAll()
        let late = NIOAsyncTestingChannel()
        try await late.connect(to: .init(ipAddress: "127.0.0.1", port: 1))
        accepted.add(late)
        try await late.closeFuture.get()
        #expect(!late.isActive)
    }
}
