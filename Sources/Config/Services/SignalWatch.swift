@preconcurrency import Dispatch
import FoundationEssentials
import Glibc

/// Turns signals into a stream; while it exists, they have no other effect.
///
/// SIGHUP and SIGTSTP stay ignored if the process was started that way, for example by `nohup`.
package final class SignalWatch: Sendable {
    package let received: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// - Parameter handler: Receives each signal at once, besides the stream.
    package init(_ signals: [Int32], handler: (@Sendable (Int32) -> Void)? = nil) {
        let (stream, sink) = AsyncStream.makeStream(of: Int32.self)
        received = stream
        let registered = DispatchSemaphore(value: 0)
        // Needs a queue of its own: all threads of the shared queues may be waiting here, for up to a second on one
        // core.
        let queue = DispatchQueue(label: "alcedo.signals")
        sources = signals.filter { !Self.ignored.contains($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                handler?(number)
                sink.yield(number)
            }
            source.setRegistrationHandler { registered.signal() }
            source.activate()
            return source
        }
        // A signal that arrives before the registration would be lost.
        for _ in sources { registered.wait() }
    }

    /// The signals ignored at the start; evaluated once, because this class later ignores signals itself.
    private static let ignored = [SIGHUP, SIGTSTP].filter { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    deinit { for source in sources { source.cancel() } }
}

/// Stops this process as Ctrl-Z does, although a `SignalWatch` ignores the signal.
package enum ProcessStop {
    /// Stops the process and returns when it continues; returns at once in an orphaned process group, which no shell
    /// could continue.
    package static func stop() {
        signal(SIGTSTP, SIG_DFL)
        var (stop, before) = (sigset_t(), sigset_t())
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        // Unblocked in this thread only; the signal stops all threads.
        pthread_sigmask(SIG_UNBLOCK, &stop, &before)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        signal(SIGTSTP, SIG_IGN)
    }
}
