import CTerminalGuard
import Dispatch
import Foundation
import Glibc
import Synchronization

/// The one reader and writer of the terminal: a thread that waits for both and never blocks anyone else.
final class TerminalConnection: Sendable {
    /// What the thread tells, in order.
    enum Report: Sendable {
        case events([TerminalEvent])
        /// Numbers of signals that arrived, each once.
        case signals(Set<Int32>)
        /// All that was enqueued is written.
        case drained
        /// The terminal is gone.
        case ended
    }

    private struct State {
        var queue = OutputQueue()
        var isStopping = false
        /// While answers are due, an ESC may well be the beginning of one.
        var expectsReplies = false
    }

    private let terminal: TerminalDescriptor
    private let notices: NoticePipe
    private let state = Mutex(State())
    private let finished = DispatchSemaphore(value: 0)
    private let report: @Sendable (Report) -> Void

    /// Starts the thread; `report` is called on it.
    init(terminal: TerminalDescriptor, notices: NoticePipe, report: @escaping @Sendable (Report) -> Void) {
        self.terminal = terminal
        self.notices = notices
        self.report = report
        Thread.detachNewThread { [self] in
            run()
            finished.signal()
        }
    }

    /// Whether something waits to be written.
    var isBusy: Bool { state.withLock { !$0.queue.isEmpty } }

    /// The bytes that end what is half written; nil when all was written.
    ///
    /// Ask once the thread has ended.
    var unfinished: [UInt8]? { state.withLock { $0.queue.isEmpty ? nil : $0.queue.interruption } }

    /// Whether a question was not sent; ask once the thread has ended.
    func isUnsent(_ question: ControlSequence) -> Bool { state.withLock { $0.queue.holds(question) } }

    func enqueue(_ chunks: [OutputQueue.Chunk]) {
        state.withLock { state in
            for chunk in chunks { state.queue.append(chunk) }
        }
        notices.wake()
    }

    /// Drops the images that are not written yet, cutting one that is half written; true when there was any.
    func dropImages() -> Bool { state.withLock { $0.queue.dropImages() } }

    /// Tells whether answers are due: a lone `ESC` then waits 300 ms before it counts as the key, else 50 ms.
    ///
    /// However late an answer is, it never becomes keys.
    func expectReplies(_ isExpecting: Bool) { state.withLock { $0.expectsReplies = isExpecting } }

    /// Ends the thread and waits for that, which takes no longer than one write that does not block.
    func stop() {
        state.withLock { $0.isStopping = true }
        notices.wake()
        finished.wait()
        finished.signal()
    }

    private func run() {
        var parser = InputParser()
        var burst = InputBurst()
        var lastInput = ContinuousClock.now
        while !state.withLock({ $0.isStopping }) {
            let patience = patience(parser, burst)
            let ready = wait(until: patience.map { lastInput + $0 })
            if ready.contains(.notice) { takeNotices() }
            if ready.contains(.output), !writeSlice() { return end() }
            if ready.contains(.input) {
                guard let bytes = terminal.read() else { return end() }
                tell(burst.settle(parser.parse(bytes)))
                lastInput = .now
            } else if let patience, ContinuousClock.now >= lastInput + patience {
                // Whatever else went on meanwhile: nothing came in.
                if !burst.isRunning { tell(parser.flush()) }
                burst.end()
                lastInput = .now
            }
        }
    }

    /// How long silence lasts until it means something; nil for ever.
    private func patience(_ parser: InputParser, _ burst: InputBurst) -> Duration? {
        if burst.isRunning { return .milliseconds(10) }
        guard parser.isPending else { return nil }
        return .milliseconds(state.withLock(\.expectsReplies) ? 300 : 50)
    }

    private struct Ready: OptionSet {
        let rawValue: Int
        static let input = Ready(rawValue: 1)
        static let output = Ready(rawValue: 2)
        static let notice = Ready(rawValue: 4)
    }

    private func wait(until end: ContinuousClock.Instant?) -> Ready {
        let milliseconds = end.map { Int32(max(0, (($0 - .now) / .milliseconds(1)).rounded(.up))) } ?? -1
        let hasOutput = isBusy
        let failures = Int32(POLLHUP | POLLERR | POLLNVAL)
        var entries = [
            pollfd(fd: terminal.number, events: Int16(hasOutput ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: notices.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&entries, 2, milliseconds)
        // An interrupted wait is no time-out: the notice of the signal is read at once.
        guard count >= 0 else { return .notice }
        var ready: Ready = []
        if Int32(entries[0].revents) & (Int32(POLLIN) | failures) != 0 { ready.insert(.input) }
        if Int32(entries[0].revents) & Int32(POLLOUT) != 0 { ready.insert(.output) }
        if entries[1].revents != 0 { ready.insert(.notice) }
        return ready
    }

    private func takeNotices() {
        let signals = notices.take()
        if !signals.isEmpty { report(.signals(signals)) }
    }

    private func end() {
        alcedo_guard_hang_up()
        report(.ended)
    }

    private func tell(_ events: [TerminalEvent]) {
        if !events.isEmpty { report(.events(events)) }
    }

    /// False when the terminal is gone.
    ///
    /// The lock is held while writing, so that a cut cannot fall into a write.
    private func writeSlice() -> Bool {
        let (isAlive, isDrained) = state.withLock { state in
            guard let count = terminal.write(state.queue.nextSlice) else { return (false, false) }
            state.queue.advance(by: count)
            return (true, state.queue.isEmpty)
        }
        if isDrained { report(.drained) }
        return isAlive
    }
}
