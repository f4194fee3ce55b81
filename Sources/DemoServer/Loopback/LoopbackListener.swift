import NIOCore
import NIOPosix
import Synchronization

/// A listening socket on 127.0.0.1, on a port the system chose, whose connections are each served by one task.
struct LoopbackListener: Sendable {
    let port: Int
    private let serving: Task<Void, Never>

    /// Begins to accept.
    ///
    /// Connections over the limit are closed as they come.
    static func start<In: Sendable, Out: Sendable>(
        connections limit: Int,
        configure: @escaping @Sendable (any Channel) throws -> NIOAsyncChannel<In, Out>,
        serve: @escaping @Sendable (NIOAsyncChannel<In, Out>) async -> Void
    ) async throws(LoopbackError) -> LoopbackListener {
        do {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .bind(host: "127.0.0.1", port: 0) { channel in
                    channel.eventLoop.makeCompletedFuture { try configure(channel) }
                }
            guard let port = server.channel.localAddress?.port else { throw LoopbackError.noPort }
            return LoopbackListener(port: port, serving: Task { await accept(server, limit, serve) })
        } catch {
            throw error as? LoopbackError ?? .cannotListen(reason: "\(error)")
        }
    }

    /// Stops accepting, ends every connection, and returns when all have ended.
    func stop() async {
        serving.cancel()
        await serving.value
    }

    private static func accept<In: Sendable, Out: Sendable>(
        _ server: NIOAsyncChannel<NIOAsyncChannel<In, Out>, Never>, _ limit: Int,
        _ serve: @escaping @Sendable (NIOAsyncChannel<In, Out>) async -> Void
    ) async {
        let open = OpenConnections(limit: limit)
        // A failing listener ends like a stopped one: there is nobody to tell.
        try? await server.executeThenClose { incoming in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in incoming {
                    group.addTask {
                        if open.enter() {
                            await run(connection, serve)
                            open.leave()
                        } else {
                            try? await connection.executeThenClose { _, _ in }
                        }
                    }
                }
            }
        }
    }

    /// Cancelling closes the connection, so that whatever waits on it ends.
    private static func run<In: Sendable, Out: Sendable>(
        _ connection: NIOAsyncChannel<In, Out>, _ serve: @Sendable (NIOAsyncChannel<In, Out>) async -> Void
    ) async {
        await withTaskCancellationHandler {
            await serve(connection)
        } onCancel: {
            connection.channel.close(promise: nil)
        }
    }
}

/// Counts open connections against a limit.
private final class OpenConnections: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    func enter() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func leave() {
        count.withLock { $0 -= 1 }
    }
}
