import Synchronization

/// Work joined with a retrier: a cold sequence of events.
///
/// Each iteration is a run of its own. It goes on only while the next event is awaited: nothing is attempted before,
/// and a slow reader is never flooded. Cancelling the reading task cancels a running attempt or wait at once; the run
/// then ends with one `completion` of `CancellationError`, after the attempt has returned.
public struct RetryJob<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = RetrierEvent<Value>
    public typealias Failure = Never

    let retrier: Retrier
    let work: @Sendable () async throws -> Value

    public func makeAsyncIterator() -> Iterator {
        Iterator(run: RetryRun(retrier: retrier, work: work))
    }

    /// One run, moved on by `next()`.
    public struct Iterator: AsyncIteratorProtocol {
        var run: RetryRun<Value>

        public mutating func next() async -> RetrierEvent<Value>? {
            await run.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> RetrierEvent<Value>? {
            await run.next()
        }
    }

    /// The first value of a new run.
    ///
    /// - Throws: the error the run completes with: the newest attempt's, a `RetrierError`, or `CancellationError` when
    ///   the awaiting task is cancelled.
    public var value: Value {
        get async throws {
            let clock = RunClock(retrier.clock)
            guard retrier.startsAtOnce, !Task.isCancelled else { return try await value(of: work, clock) }
            // A run's bookkeeping takes longer than a short attempt, and most attempts need none of it.
            do {
                let value = try await work()
                retrier.tell(RetrierEvent.attemptSuccess(value))
                return value
            } catch {
                return try await value(of: failing(once: error), clock)
            }
        }
    }

    private func value(of work: @escaping @Sendable () async throws -> Value, _ clock: RunClock) async throws -> Value {
        var run = RetryRun(retrier: retrier, work: work, clock: clock)
        while let event = await run.next() {
            switch event {
            case .attemptSuccess(let value):
                await run.stop()
                return value
            case .completion(let error?): throw error
            case .attemptFailure, .completion(nil): continue
            }
        }
        throw CancellationError()
    }

    /// The work whose first attempt has failed already: the run is told so when it makes it.
    private func failing(once error: any Error) -> @Sendable () async throws -> Value {
        let failure = Mutex<(any Error)?>(error)
        return { [work] in
            if let error = failure.withLock({ $0.take() }) { throw error }
            return try await work()
        }
    }
}
