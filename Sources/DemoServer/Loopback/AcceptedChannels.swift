import NIOCore
import Synchronization

/// Every connection that was accepted and is not closed yet, served or not.
///
/// A listener that closes drops the connections it has accepted and not handed out yet; somebody must close them.
final class AcceptedChannels: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Remembers a connection until it closes; one that comes after `closeAll()` is closed.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isTooLate = state.withLock { state in
            state.channels[id] = channel
            return state.isClosed
        }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        if isTooLate { channel.close(promise: nil) }
    }

    /// Closes all, and returns when they are closed.
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
