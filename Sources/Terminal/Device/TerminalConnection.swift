import AlcedoCTerminalGuard
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// The terminal's only reader and writer: a thread that polls for input and output.
final class TerminalConnection: Sendable {
    /// An event of the thread, in order.
    enum Report: Sendable {
        case events([TerminalEvent])
        /// The numbers of the signals that arrived, each once.
        case signals(Set<Int32>)
        /// Everything enqueued has been written.
        case drained
        /// The terminal is gone.
        case disconnected
    }

    private struct State {
        var queue = OutputQueue()
        var isStopping = false
        /// Whether replies are outstanding, so that an `ESC` may be the beginning of one.
        var expectsReplies = false
    }

    private let terminal: TerminalDescriptor
    private let wakeupPipe: WakeupPipe
    private let state = Mutex(State())
    private let finished = DispatchSemaphore(value: 0)
    private let report: @Sendable (Report) -> Void

    /// Starts the thread, which calls `report`.
    init(terminal: TerminalDescriptor, wakeupPipe: WakeupPipe, report: @escaping @Sendable (Report) -> Void) {
        (self.terminal, self.wakeupPipe, self.report) = (terminal, wakeupPipe, report)
        DispatchQueue(label: "alcedo.terminal").async { [self] in
            run()
            finished.signal()
        }
    }

    /// Whether output is waiting to be written.
    var isBusy: Bool { state.withLock { !$0.queue.isEmpty } }

    /// The bytes that end half-written output, or nil if everything was written; valid after `stop()`.
    var unfinished: [UInt8]? { state.withLock { $0.queue.isEmpty ? nil : $0.queue.terminator } }

    /// Returns whether a query was not sent; valid after `stop()`.
    func isUnsent(_ query: ControlSequence) -> Bool { state.withLock { $0.queue.contains(query) } }

    func enqueue(_ chunks: [OutputQueue.Chunk]) {
        state.withLock { state in
            for chunk in chunks { state.queue.append(chunk) }
        }
        wakeupPipe.wake()
    }

    /// Drops the unwritten images and cuts a half-written one; returns whether there was any.
    func dropImages() -> Bool { state.withLock { $0.queue.dropImages() } }

    /// Sets whether replies are outstanding: a lone `ESC` then becomes a key after 300 ms instead of 50 ms.
    ///
    /// Late replies are still recognised as replies.
    func expectReplies(_ isExpecting: Bool) { state.withLock { $0.expectsReplies = isExpecting } }

    /// Stops the thread and waits until it has ended, at most for one non-blocking write.
    func stop() {
        state.withLock { $0.isStopping = true }
        wakeupPipe.wake()
        finished.wait()
        finished.signal()
    }

    private func run() {
        var parser = InputParser()
        var pasteDetector = PasteDetector()
        let start = ContinuousClock.now
        var lastInput = start
        while !state.withLock({ $0.isStopping }) {
            let timeout = inputTimeout(parser, pasteDetector)
            let ready = wait(until: timeout.map { lastInput + $0 })
            if ready.contains(.wakeup) { reportSignals() }
            if ready.contains(.output), !writeSlice() { return disconnect() }
            if ready.contains(.input) {
                guard let bytes = terminal.read() else { return disconnect() }
                lastInput = .now
                report(events: pasteDetector.process(parser.parse(bytes), at: lastInput - start))
            } else if let timeout, ContinuousClock.now >= lastInput + timeout {
                // Output and wakeups do not extend the timeout.
                if !pasteDetector.isPasting { report(events: parser.flush()) }
                pasteDetector.reset()
                lastInput = .now
            }
        }
    }

    /// Returns how long a pause in the input must last to be significant; nil means for ever.
    private func inputTimeout(_ parser: InputParser, _ pasteDetector: PasteDetector) -> Duration? {
        if pasteDetector.isPasting { return .milliseconds(10) }
        guard parser.isPending else { return nil }
        return .milliseconds(state.withLock(\.expectsReplies) ? 300 : 50)
    }

    private struct Ready: OptionSet {
        let rawValue: Int
        static let input = Ready(rawValue: 1)
        static let output = Ready(rawValue: 2)
        static let wakeup = Ready(rawValue: 4)
    }

    private func wait(until end: ContinuousClock.Instant?) -> Ready {
        let milliseconds = end.map { Int32(max(0, (($0 - .now) / .milliseconds(1)).rounded(.up))) } ?? -1
        let hasOutput = isBusy
        let failures = Int32(POLLHUP | POLLERR | POLLNVAL)
        var entries = [
            pollfd(fd: terminal.number, events: Int16(hasOutput ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: wakeupPipe.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&entries, 2, milliseconds)
        // A signal interrupted the call; its number is in the pipe.
        guard count >= 0 else { return .wakeup }
        var ready: Ready = []
        if Int32(entries[0].revents) & (Int32(POLLIN) | failures) != 0 { ready.insert(.input) }
        if Int32(entries[0].revents) & Int32(POLLOUT) != 0 { ready.insert(.output) }
        if entries[1].revents != 0 { ready.insert(.wakeup) }
        return ready
    }

    private func reportSignals() {
        let signals = wakeupPipe.readSignals()
        if !signals.isEmpty { report(.signals(signals)) }
    }

    private func disconnect() {
        if alcedo_guard_hang_up() != 0 { report(.disconnected) }
    }

    private func report(events: [TerminalEvent]) {
        if !events.isEmpty { report(.events(events)) }
    }

    /// Writes the next slice and returns whether the terminal is still there.
    ///
    /// Holds the lock while writing, so that an image cannot be cut during a write.
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

/// A pipe that wakes the terminal's thread; each byte is a signal number, or 0.
final class WakeupPipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(TerminalError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(call: "pipe", code: errno) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the reader; if the pipe is full, the reader is about to wake anyway.
    func wake() {
        var byte: UInt8 = 0
        write(writeEnd, &byte, 1)
    }

    /// Returns the signals received since the last call.
    func readSignals() -> Set<Int32> {
        var signals: Set<Int32> = []
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(readEnd, &bytes, bytes.count)
        for byte in bytes.prefix(max(0, count)) where byte != 0 { signals.insert(Int32(byte)) }
        return signals
    }
}
