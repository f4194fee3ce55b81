import NIOCore
import NIOPosix
import Synchronization

/// A listening socket on 127.0.0.1 at a port chosen by the system; each connection is served by one task.
package struct LoopbackListener: Sendable {
    package let port: Int
    private let listening: any Channel
    private let serving: Task<Void, Never>
    private let accepted: AcceptedChannels

    /// Starts to accept connections.
    package static func start<In: Sendable, Out: Sendable>(
        configure: @escaping @Sendable (any Channel) throws -> NIOAsyncChannel<In, Out>,
        serve: @escaping @Sendable (NIOAsyncChannel<In, Out>) async -> Void
    ) async throws(LoopbackError) -> LoopbackListener {
        do {
            let accepted = AcceptedChannels()
            // Connections are wrapped when they are served: a wrapped connection that is never served traps.
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelOption(.autoRead, value: false)
                .bind(host: "127.0.0.1", port: 0) { channel in
                    accepted.add(channel)
                    return channel.eventLoop.makeSucceededFuture(channel)
                }
            guard let port = server.channel.localAddress?.port else { throw LoopbackError.noPort }
            let connections = Connections(configure: configure, serve: serve)
            let serving = Task { await accept(server, connections) }
            return LoopbackListener(port: port, listening: server.channel, serving: serving, accepted: accepted)
        } catch {
            throw error as? LoopbackError ?? .cannotListen(reason: "\(error)")
        }
    }

    /// Stops accepting, closes every connection, and waits for that.
    package func stop() async {
        try? await listening.close()
        await serving.value
        await accepted.closeAll()
    }

    private static func accept<In: Sendable, Out: Sendable>(
        _ server: NIOAsyncChannel<any Channel, Never>, _ connections: Connections<In, Out>
    ) async {
        // A failing listener ends like a stopped one.
        try? await server.executeThenClose { incoming in
            try await withThrowingDiscardingTaskGroup { group in
                for try await channel in incoming { group.addTask { await connections.handle(channel) } }
                group.cancelAll()
            }
        }
    }
}

/// Serves connections.
private struct Connections<In: Sendable, Out: Sendable>: Sendable {
    let configure: @Sendable (any Channel) throws -> NIOAsyncChannel<In, Out>
    let serve: @Sendable (NIOAsyncChannel<In, Out>) async -> Void

    /// Serves a connection to its end.
    func handle(_ channel: any Channel) async {
        guard let connection = await wrap(channel) else { return }
        // Cancellation closes the connection, which ends every wait for it.
        await withTaskCancellationHandler {
            _ = try? await channel.setOption(.autoRead, value: true).get()
            await serve(connection)
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

extension Connections {
    /// Wraps a connection; nil if the client has already disconnected, because wrapping would then trap.
    private func wrap(_ channel: any Channel) async -> NIOAsyncChannel<In, Out>? {
        try? await channel.eventLoop.submit {
            guard channel.isActive else { throw ChannelError.alreadyClosed }
            return try configure(channel)
        }.get()
    }
}

/// All accepted connections that are not closed yet, served or not.
///
/// A closing listener drops connections that it has accepted but not delivered; they must be closed here.
final class AcceptedChannels: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Tracks a connection until it closes; after `closeAll()`, closes it.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isTooLate = state.withLock { state in
            state.channels[id] = channel
            return state.isClosed
        }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        if isTooLate { channel.close(promise: nil) }
    }

    /// Closes all connections and waits for that.
    func closeAll() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in channels { try? await channel.close() }
    }

    private func remove(_ id: ObjectIdentifier) {
        state.withLock { _ = $0.channels.removeValue(forKey: id) }
    }
}

/// An error that prevents the start of a loopback server.
package enum LoopbackError: Error, Hashable, Sendable {
    case cannotListen(reason: String)
    case noPort
    /// The folder cannot be read or contains no pictures.
    case noPictures(folder: String)
}

extension LoopbackError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotListen(let reason): "no connection can be accepted on 127.0.0.1: \(reason)"
        case .noPort: "the system gave no port on 127.0.0.1"
        case .noPictures(let folder): "\(folder): no pictures to serve"
        }
    }
}
