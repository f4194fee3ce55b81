@preconcurrency import Dispatch
import Foundation

/// Turns signals into a stream; while it lives they do nothing else.
public final class SignalWatch: Sendable {
    public let received: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    public init(_ signals: [Int32]) {
        let (stream, sink) = AsyncStream.makeStream(of: Int32.self)
        received = stream
        let registered = DispatchSemaphore(value: 0)
        sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { sink.yield(number) }
            source.setRegistrationHandler { registered.signal() }
            source.activate()
            return source
        }
        // Until then a signal would be lost.
        for _ in sources { registered.wait() }
    }

    deinit { for source in sources { source.cancel() } }
}
