import NIOCore
import NIOPosix
import Synchronization

/// A listening socket on 127.0.0.1, on a port the system chose, whose connections are each served by one task.
struct LoopbackListener: Sendable {
    let port: Int
    private let listening: any Channel
    private let serving: Task<Void, Never>
    private let accepted: AcceptedChannels

    /// Begins to accept.
    ///
    /// Connections over the limit are closed as they come.
    static func start<In: Sendable, Out: Sendable>(
        connections limit: Int,
        configure: @escaping @Sendable (any Channel) throws -> NIOAsyncChannel<In, Out>,
        serve: @escaping @Sendable (NIOAsyncChannel<In, Out>) async -> Void
    ) async throws(LoopbackError) -> LoopbackListener {
        do {
            let accepted = AcceptedChannels()
            // Connections are wrapped when their turn comes: a wrapped one that nobody serves traps.
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelOption(.autoRead, value: false)
                .bind(host: "127.0.0.1", port: 0) { channel in
                    accepted.add(channel)
                    return channel.eventLoop.makeSucceededFuture(channel)
                }
            guard let port = server.channel.localAddress?.port else { throw LoopbackError.noPort }
            let connections = Connections(limit: limit, configure: configure, serve: serve)
            let serving = Task { await accept(server, connections) }
            return LoopbackListener(port: port, listening: server.channel, serving: serving, accepted: accepted)
        } catch {
            throw error as? LoopbackError ?? .cannotListen(reason: "\(error)")
        }
    }

    /// Stops accepting, ends every connection, and returns when all have ended.
    func stop() async {
        try? await listening.close()
        await serving.value
        await accepted.closeAll()
    }

    private static func accept<In: Sendable, Out: Sendable>(
        _ server: NIOAsyncChannel<any Channel, Never>, _ connections: Connections<In, Out>
    ) async {
        // A failing listener ends like a stopped one: there is nobody to tell.
        try? await server.executeThenClose { incoming in
            try await withThrowingDiscardingTaskGroup { group in
                for try await channel in incoming { group.addTask { await connections.take(channel) } }
                group.cancelAll()
            }
        }
    }
}

/// Serves connections, so many at a time.
private struct Connections<In: Sendable, Out: Sendable>: Sendable {
    private let open: OpenConnections
    private let configure: @Sendable (any Channel) throws -> NIOAsyncChannel<In, Out>
    private let serve: @Sendable (NIOAsyncChannel<In, Out>) async -> Void

    init(
        limit: Int, configure: @escaping @Sendable (any Channel) throws -> NIOAsyncChannel<In, Out>,
        serve: @escaping @Sendable (NIOAsyncChannel<In, Out>) async -> Void
    ) {
        open = OpenConnections(limit: limit)
        self.configure = configure
        self.serve = serve
    }

    /// Serves a connection to its end; one over the limit is closed.
    func take(_ channel: any Channel) async {
        guard open.enter() else {
            try? await channel.close()
            return
        }
        defer { open.leave() }
        guard let connection = await wrap(channel) else { return }
        // Cancelling closes the connection, so that whatever waits on it ends.
        await withTaskCancellationHandler {
            _ = try? await channel.setOption(.autoRead, value: true).get()
            await serve(connection)
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

extension Connections {
    /// The connection ready to be served; nil when the client has left already, which the wrapper would not survive.
    private func wrap(_ channel: any Channel) async -> NIOAsyncChannel<In, Out>? {
        try? await channel.eventLoop.submit {
            guard channel.isActive else { throw ChannelError.alreadyClosed }
            return try configure(channel)
        }.get()
    }
}
