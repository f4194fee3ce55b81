@preconcurrency import Dispatch
import Foundation

/// Turns signals into a stream; while it lives they do nothing else.
///
/// A hang-up or a stop that the process was started to ignore, as `nohup` does, stays ignored.
public final class SignalWatch: Sendable {
    public let received: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    public init(_ signals: [Int32]) {
        let (stream, sink) = AsyncStream.makeStream(of: Int32.self)
        received = stream
        let registered = DispatchSemaphore(value: 0)
        // Its own threads: the shared ones may all wait here, on one processor for a second.
        let queue = DispatchQueue(label: "alcedo.signals")
        sources = signals.filter { !Self.ignored.contains($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { sink.yield(number) }
            source.setRegistrationHandler { registered.signal() }
            source.activate()
            return source
        }
        // Until then a signal would be lost.
        for _ in sources { registered.wait() }
    }

    /// Asked once: afterwards the signal is ignored by our own doing.
    private static let ignored = [SIGHUP, SIGTSTP].filter { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    deinit { for source in sources { source.cancel() } }
}
