import Glibc

/// A listening socket on 127.0.0.1 at a port chosen by the system; each connection is served by one task.
package struct LoopbackListener: Sendable {
    package let port: Int
    private let socket: Socket
    private let serving: Task<Void, Never>

    /// Starts to accept connections; each is closed when its `serve` returns.
    ///
    /// - Parameter serve: Serves one connection; it is cancelled, and its connection closed, when the listener stops.
    package static func start(
        serve: @escaping @Sendable (LoopbackConnection) async -> Void
    ) throws(LoopbackError) -> LoopbackListener {
        let descriptor = LoopbackAddress.socket()
        guard descriptor >= 0 else { throw .cannotListen(reason: String(cString: strerror(errno))) }
        let socket = Socket(descriptor)
        guard let port = LoopbackAddress.bind(descriptor) else { throw .noPort }
        guard listen(descriptor, SOMAXCONN) == 0 else { throw .cannotListen(reason: String(cString: strerror(errno))) }
        let serving = Task { await accept(socket, serve) }
        return LoopbackListener(port: port, socket: socket, serving: serving)
    }

    /// Stops accepting, closes every connection, and waits until all are closed.
    package func stop() async {
        socket.close { _ = shutdown($0, Int32(SHUT_RDWR)) }
        await serving.value
    }

    private static func accept(
        _ socket: Socket, _ serve: @escaping @Sendable (LoopbackConnection) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            while let connection = await next(socket) {
                group.addTask {
                    // Closing ends every wait for the connection.
                    await withTaskCancellationHandler {
                        await serve(connection)
                    } onCancel: {
                        connection.close()
                    }
                    connection.close()
                }
            }
            group.cancelAll()
        }
    }

    /// Returns the next connection; nil when the listener is closed, or fails.
    private static func next(_ socket: Socket) async -> LoopbackConnection? {
        while true {
            do throws(ConnectionError) {
                let descriptor = try await socket.attempt(on: .readable) { Int(Glibc.accept($0, nil, nil)) }
                return LoopbackConnection(adopting: Int32(descriptor))
            } catch .failed(ECONNABORTED) {
                // The client left before it was accepted.
                continue
            } catch .failed(let code) where [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) {
                // Other connections must end first. No event reports that, so poll.
                try? await Task.sleep(for: .milliseconds(50))
            } catch {
                socket.close()
                return nil
            }
        }
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
