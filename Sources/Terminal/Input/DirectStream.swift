import Synchronization

/// A sequence that any thread fills and one consumer reads on its own actor.
///
/// `AsyncStream` resumes its consumer through the shared thread pool for each element. A key would then wait while
/// those threads decode pictures or wait for a disk.
package final class DirectStream<Element: Sendable>: AsyncSequence, Sendable {
    private struct State {
        var elements: [Element] = []
        /// The number of elements already read; they are removed when all, or 1,024, have been read.
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

    /// Creates an empty stream that drops elements while `limit` elements are waiting; unlimited by default.
    package init(limit: Int = .max) { self.limit = limit }

    /// Adds an element, unless the stream is finished.
    package func yield(_ element: Element) {
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

    /// Finishes the sequence after the waiting elements.
    package func finish() {
        resumeWaiter { $0.isFinished = true }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: DirectStream

        /// Returns the next element; nil after the last one, or if the task is cancelled.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await stream.next(isolation: actor)
        }
    }

    private func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { wait($0) }
            }, onCancel: { resumeWaiter { _ in } }, isolation: actor)
    }

    private func wait(_ continuation: CheckedContinuation<Element?, Never>) {
        let (isOver, element) = state.withLock { state -> (Bool, Element?) in
            // Checked under the lock: a cancellation before this point finds no waiter to resume.
            if Task.isCancelled { return (true, nil) }
            if let element = state.next() { return (true, element) }
            if state.isFinished { return (true, nil) }
            state.waiter = continuation
            return (false, nil)
        }
        if isOver { continuation.resume(returning: element) }
    }

    private func resumeWaiter(after change: (inout sending State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }
}
