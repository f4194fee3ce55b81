import Retrying
import Synchronization
import Testing

/// An event in words, so that whole runs compare as lists.
func words<Value>(_ event: RetrierEvent<Value>) -> String {
    switch event {
    case .attemptSuccess(let value): "success \(value)"
    case .attemptFailure(let failure):
        "failure \(failure.index) \(failure.error)" + (failure.delay.map { " wait \($0)" } ?? "")
    case .completion(let error?): "completion \(error)"
    case .completion(nil): "completion"
    }
}

/// All events of a new run of the job, in words.
func words<Value>(of job: RetryJob<Value>) async -> [String] {
    var list: [String] = []
    for await event in job { list.append(words(event)) }
    return list
}

/// A list that many tasks may add to.
final class Record<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    var elements: [Element] { list.withLock { $0 } }

    /// Adds an element and returns how many there were before it.
    @discardableResult
    func add(_ element: Element) -> Int {
        list.withLock { list in
            list.append(element)
            return list.count - 1
        }
    }
}

/// An attempt that runs until it is cancelled, and counts how many of it run.
final class EndlessAttempt: Sendable {
    private let counts = Mutex((running: 0, started: 0))
    private let starts = AsyncStream<Void>.makeStream()

    var running: Int { counts.withLock { $0.running } }
    var started: Int { counts.withLock { $0.started } }

    func run() async throws -> Int {
        counts.withLock { counts in
            counts.running += 1
            counts.started += 1
        }
        defer { counts.withLock { $0.running -= 1 } }
        starts.continuation.yield()
        // A stream that nobody feeds ends only by cancellation.
        let (silence, continuation) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }

    /// Returns when one more attempt has started.
    func untilStarted() async {
        for await _ in starts.stream { return }
    }
}
