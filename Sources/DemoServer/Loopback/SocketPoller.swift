import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Waits for sockets on a thread of its own, so that no task blocks one of the few threads that tasks share.
final class SocketPoller: Sendable {
    /// The event to wait for; errors and the end of a connection always end a wait.
    enum Event {
        case readable
        case writable
        /// The peer sends nothing more; bytes that are not read yet do not count.
        case hangUp

        var mask: Int16 {
            switch self {
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            // POLLRDHUP, which glibc shows to GNU sources only.
            case .hangUp: 0x2000
            }
        }
    }

    private struct Waiter {
        let owner: ObjectIdentifier
        let descriptor: Int32
        let event: Event
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var next = 0
        /// The ends of the pipe that interrupts a wait; nil if the system gave none.
        var pipe: (reading: Int32, writing: Int32)?
    }

    /// One thread serves all sockets of the process; it starts with the first wait.
    static let shared = SocketPoller()

    private let state = Mutex(State())

    private init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { Descriptor.prepare(end) }
        state.withLock { $0.pipe = (ends[0], ends[1]) }
        DispatchQueue(label: "alcedo.sockets").async { [reading = ends[0]] in self.run(reading) }
    }

    /// Returns when the event has happened, or the owner has left; false if nothing can be waited for.
    ///
    /// - Parameter register: Passes the descriptor while it is open; it must call its argument under the lock that
    ///   guards closing, or not at all.
    func wait(
        for event: Event, owner: ObjectIdentifier, register: (_ add: (Int32) -> Void) -> Void
    ) async -> Bool {
        guard state.withLock({ $0.pipe != nil }) else { return false }
        await withCheckedContinuation { continuation in
            var isWaiting = false
            register { descriptor in
                let waiter = Waiter(owner: owner, descriptor: descriptor, event: event, continuation: continuation)
                self.add(waiter)
                isWaiting = true
            }
            if !isWaiting { continuation.resume() }
        }
        return true
    }

    /// Ends all waits of an owner.
    func leave(_ owner: ObjectIdentifier) {
        resume { waiter, _ in waiter.owner == owner }
    }

    private func add(_ waiter: Waiter) {
        state.withLock { state in
            state.waiters[state.next] = waiter
            state.next += 1
            Self.interrupt(state)
        }
    }

    private func resume(where isDone: (Waiter, Int) -> Bool) {
        let done = state.withLock { state in
            let done = state.waiters.filter { isDone($0.value, $0.key) }
            for key in done.keys { state.waiters[key] = nil }
            if !done.isEmpty { Self.interrupt(state) }
            return done.values.map(\.continuation)
        }
        for continuation in done { continuation.resume() }
    }

    private static func interrupt(_ state: State) {
        // A full pipe interrupts as well.
        if let end = state.pipe?.writing { _ = write(end, [0], 1) }
    }

    private func run(_ reading: Int32) {
        var bin = [UInt8](repeating: 0, count: 512)
        while true {
            let waiters = Array(state.withLock(\.waiters))
            var entries = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
            entries += waiters.map { pollfd(fd: $1.descriptor, events: $1.event.mask, revents: 0) }
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
            if entries[0].revents != 0 { while read(reading, &bin, bin.count) == bin.count {} }
            let ready = Set(zip(waiters, entries.dropFirst()).filter { $1.revents != 0 }.map(\.0.key))
            if !ready.isEmpty { resume { _, key in ready.contains(key) } }
        }
    }
}

/// Settings of a file descriptor.
enum Descriptor {
    /// Makes calls on the descriptor return at once, and closes it when another program is executed.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
}
