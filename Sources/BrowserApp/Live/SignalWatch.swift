@preconcurrency import Dispatch
import Foundation

/// Turns signals into a stream; while it exists, they have no other effect.
///
///
/// SIGHUP and SIGTSTP stay ignored if the process was started that way, for example by `nohup`.
package final class SignalWatch: Sendable {
    package let received: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    package init(_ signals: [Int32]) {
        let (stream, sink) = AsyncStream.makeStream(of: Int32.self)
        received = stream
        let registered = DispatchSemaphore(value: 0)
        // A queue of its own: the threads of the shared queues may all be waiting here, for up to a second on one core.
        let queue = DispatchQueue(label: "alcedo.signals")
        sources = signals.filter { !Self.ignored.contains($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { sink.yield(number) }
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
