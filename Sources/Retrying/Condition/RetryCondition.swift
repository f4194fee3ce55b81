/// A sequence of Booleans with its type erased: run, it reports each of them and returns when they end.
struct RetryCondition: Sendable {
    let observe: @Sendable (_ report: @Sendable (Bool) -> Void) async -> Void

    init<Values: AsyncSequence>(_ values: @escaping @Sendable () -> Values)
    where Values.Element == Bool, Values: SendableMetatype, Values.AsyncIterator: SendableMetatype {
        observe = { report in
            var iterator = values().makeAsyncIterator()
            // A sequence that throws has ended.
            while let value = try? await iterator.next() { report(value) }
        }
    }
}

extension Retrier {
    /// Attempts only while `condition` is true; several conditions must all be.
    ///
    /// Before its first element a condition counts as false. Turning false it cancels a running attempt, which tells
    /// an `attemptFailure` with `CancellationError`, or ends a wait; turning true again it starts the next attempt at
    /// once and the policy afresh, while the attempts' indexes go on. A condition that ends while true stays true; one
    /// that ends or throws otherwise ends the run with `RetrierError.conditionEnded`.
    ///
    /// The expression is evaluated once a run, so `onlyWhen(monitor.updates())` gives each run a sequence of its own.
    public func onlyWhen<Condition: AsyncSequence>(
        _ condition: @autoclosure @escaping @Sendable () -> Condition
    ) -> Retrier
    where Condition.Element == Bool, Condition: SendableMetatype, Condition.AsyncIterator: SendableMetatype {
        with { $0.conditions.append(RetryCondition(condition)) }
    }
}
