import Synchronization

/// A sequence that anybody fills and one consumer reads without ever leaving its actor.
///
/// `AsyncStream` takes its consumer through the threads that all tasks share, for each element: where those decode
/// pictures, or wait for a disk, a key would wait with them.
public final class DirectStream<Element: Sendable>: AsyncSequence, Sendable {
    private struct State {
        var elements: [Element] = []
        /// How many of the elements have been read; they go when all have, or a thousand.
        var readCount = 0
        var waiter: CheckedContinuation<Element?, Never>?
        var isFinished = false

        mutating func next() -> Element? {
            guard readCount < elements.count else { return nil }
            defer {
                readCount += 1
                if readCount == elements.count || readCount == 1024 {
                    elements.removeFirst(readCount)
                    readCount = 0
                }
            }
            return elements[readCount]
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Makes an empty stream; what comes while `limit` elements wait is dropped, none by default.
    public init(limit: Int = .max) { self.limit = limit }

    /// Adds an element; after `finish()` nothing.
    public func yield(_ element: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            if state.elements.count - state.readCount < limit { state.elements.append(element) }
            return nil
        }
        waiter?.resume(returning: element)
    }

    /// Ends the sequence behind what is in it.
    public func finish() {
        letGo { $0.isFinished = true }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: DirectStream

        /// The next element, when there is one; nil at the end, and for a task that is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await stream.next(isolation: actor)
        }
    }

    private func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { wait($0) }
            }, onCancel: { letGo { _ in } }, isolation: actor)
    }

    private func wait(_ continuation: CheckedContinuation<Element?, Never>) {
        let (isOver, element) = state.withLock { state -> (Bool, Element?) in
            // Who cancels lets go of the waiter only after the task can see it.
            if Task.isCancelled { return (true, nil) }
            if let element = state.next() { return (true, element) }
            if state.isFinished { return (true, nil) }
            state.waiter = continuation
            return (false, nil)
        }
        if isOver { continuation.resume(returning: element) }
    }

    private func letGo(_ change: (inout sending State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }
}
