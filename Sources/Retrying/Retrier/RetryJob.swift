/// Work combined with a retrier: a cold sequence of events.
///
/// Each iteration is a separate run. A run advances only while its next event is awaited: no attempt starts earlier, and
/// events never pile up. Cancelling the reading task cancels a running attempt or wait at once. The run then ends, after
/// the attempt has returned, with one `completion` of `CancellationError`.
public struct RetryJob<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = RetrierEvent<Value>
    public typealias Failure = Never

    let retrier: Retrier
    let work: @Sendable @concurrent () async throws -> Value
    var handlers: [EventHandler<RetrierEvent<Value>>] = []

    public func makeAsyncIterator() -> Iterator { Iterator(run: RetryRun(self)) }

    /// Calls `handler` with each event of each run, in order, before the job returns it, after the retrier's handlers.
    ///
    /// A handler that is written on an actor is isolated to it, and runs there.
    ///
    /// - Parameter queue: Where a handler runs that is not isolated to an actor; by default on any thread.
    public func handleRetrierEvents(
        on queue: CallbackQueue = .untouch,
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (RetrierEvent<Value>) -> Void
    ) -> RetryJob {
        var copy = self
        copy.handlers.append(EventHandler(queue: queue, handle: handler))
        return copy
    }

    /// One run, advanced by `next()`.
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
    /// - Throws: The error that the run completes with: the newest attempt's error, a `RetrierError`, or
    ///   `CancellationError` when the awaiting task is cancelled.
    public var value: Value {
        get async throws {
            var run = RetryRun(self)
            while let event = await run.next() {
                switch event {
                case .attemptSuccess(let value):
                    await run.complete()
                    return value
                case .completion(let error?): throw error
                case .attemptFailure, .completion(nil): continue
                }
            }
            throw CancellationError()
        }
    }
}

extension RetryJob {
    /// Returns the values of the successful attempts.
    public func success() -> some AsyncSequence<Value, Never> & Sendable {
        compactMap { event in
            guard case .attemptSuccess(let value) = event else { return nil }
            return value
        }
    }

    /// Returns the failed attempts.
    public func failure() -> some AsyncSequence<FailedAttempt, Never> & Sendable {
        compactMap { event in
            guard case .attemptFailure(let failure) = event else { return nil }
            return failure
        }
    }

    /// Returns the completion alone: nil after a success, otherwise the error.
    public func completion() -> some AsyncSequence<(any Error)?, Never> & Sendable {
        compactMap { event -> (any Error)?? in
            guard case .completion(let error) = event else { return nil }
            return .some(error)
        }
    }
}
