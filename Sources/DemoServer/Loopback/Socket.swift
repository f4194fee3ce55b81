import Glibc
import Synchronization

/// An open socket; calls that would block wait without a thread.
///
/// Every call on the descriptor is made under a lock, so that no call after `close` reaches another file with its
/// number.
final class Socket: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes a descriptor over, and closes it at the end.
    init(_ descriptor: Int32) {
        Descriptor.prepare(descriptor)
        self.descriptor = Mutex(descriptor)
    }

    deinit { close() }

    /// Repeats a call until it would not block, and returns its result; throws if it fails.
    func attempt(
        on event: SocketPoller.Event, _ call: (Int32) -> Int
    ) async throws(ConnectionError) -> Int {
        while true {
            let result: Result<Int, ConnectionError> = descriptor.withLock { descriptor in
                guard let descriptor else { return .failure(.closed) }
                let value = call(descriptor)
                return value >= 0 ? .success(value) : .failure(ConnectionError(errno))
            }
            switch result {
            case .success(let value): return value
            case .failure(.failed(EINTR)): continue
            case .failure(.failed(EAGAIN)): try await wait(for: event)
            case .failure(let error): throw error
            }
        }
    }

    /// Waits for an event, or for the end of the connection.
    func wait(for event: SocketPoller.Event) async throws(ConnectionError) {
        let canWait = await SocketPoller.shared.wait(for: event, owner: ObjectIdentifier(self)) { add in
            descriptor.withLock { if let descriptor = $0 { add(descriptor) } }
        }
        if !canWait { throw .failed(EMFILE) }
    }

    /// Calls with the descriptor; does nothing after `close`.
    func with(_ call: (Int32) -> Void) {
        descriptor.withLock { if let descriptor = $0 { call(descriptor) } }
    }

    /// Closes the socket and ends all waits for it; further calls do nothing.
    ///
    /// - Parameter last: Called with the descriptor before it is closed.
    func close(_ last: (Int32) -> Void = { _ in }) {
        let isOpen = descriptor.withLock { descriptor in
            guard let open = descriptor else { return false }
            last(open)
            _ = Glibc.close(open)
            descriptor = nil
            return true
        }
        if isOpen { SocketPoller.shared.leave(ObjectIdentifier(self)) }
    }
}

/// The end of a connection.
package enum ConnectionError: Error, Hashable, Sendable {
    /// This side closed it.
    case closed
    /// The peer broke it off.
    case reset
    /// A system call failed with an error number.
    case failed(Int32)

    init(_ code: Int32) {
        switch code {
        case ECONNRESET, EPIPE: self = .reset
        case EWOULDBLOCK: self = .failed(EAGAIN)
        default: self = .failed(code)
        }
    }
}
