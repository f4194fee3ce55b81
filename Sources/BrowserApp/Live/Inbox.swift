import Synchronization
import Terminal

/// Messages on their way to a screen: posted from anywhere, drained by its runtime in order.
final class Inbox<Message: Sendable>: Sendable {
    /// One element whenever there is something to look at; several wishes before a look become one.
    let wakes = DirectStream<Void>(limit: 1)
    private let messages = Mutex<[Message]>([])

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakes.yield(())
    }

    /// Asks for a look without a message: time has passed, or a picture is ready.
    func wake() { wakes.yield(()) }

    func drain() -> [Message] {
        messages.withLock { queue in
            defer { queue = [] }
            return queue
        }
    }

    func close() { wakes.finish() }
}
