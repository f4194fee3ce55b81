import Synchronization

/// Messages on their way to a screen: posted from anywhere, drained by its runtime in order.
final class Inbox<Message: Sendable>: Sendable {
    /// One element whenever there is something to look at; several wishes before a look become one.
    let wakes: AsyncStream<Void>
    private let messages = Mutex<[Message]>([])
    private let wakeSink: AsyncStream<Void>.Continuation

    init() { (wakes, wakeSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakeSink.yield()
    }

    /// Asks for a look without a message: time has passed, or a picture is ready.
    func wake() { wakeSink.yield() }

    func drain() -> [Message] {
        messages.withLock { queue in
            defer { queue = [] }
            return queue
        }
    }

    func close() { wakeSink.finish() }
}
