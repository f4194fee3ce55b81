import NIOCore
import NIOEmbedded
import Testing

@testable import DemoServer

struct AcceptedChannelsTests {
    private let accepted = AcceptedChannels()

    @Test func allThatAreOpenAreClosed() async throws {
        let channels = [NIOAsyncTestingChannel(), NIOAsyncTestingChannel()]
        for channel in channels {
            try await channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1))
            accepted.add(channel)
        }
        await accepted.closeAll()
        #expect(channels.allSatisfy { !$0.isActive })
    }

    @Test func oneThatComesTooLateIsClosed() async throws {
        await accepted.closeAll()
        let late = NIOAsyncTestingChannel()
        try await late.connect(to: .init(ipAddress: "127.0.0.1", port: 1))
        accepted.add(late)
        try await late.closeFuture.get()
        #expect(!late.isActive)
    }
}
