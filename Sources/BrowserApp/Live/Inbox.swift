import Synchronization
import Terminal

/// A queue of messages to a screen, filled from any thread and drained in order by the screen's loop.
final class Inbox<Message: Sendable>: Sendable {
    /// One element whenever there is something to process; wake-ups that pile up are merged into one.
    let wakes = DirectStream<Void>(limit: 1)
    private let messages = Mutex<[Message]>([])

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakes.yield(())
    }

    /// Wakes the loop without a message, because time has passed or a picture is ready.
    func wake() { wakes.yield(()) }

    func drain() -> [Message] {
        messages.withLock { queue in
            defer { queue = [] }
            return queue
        }
    }

    func close() { wakes.finish() }
}
