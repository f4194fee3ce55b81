import Synchronization

/// A condition that any number of runs observe at the same time; its sequence is read once.
///
/// Reading begins with the first run. It ends with the sequence, or when no retrier, job or run refers to the
/// condition.
final class RetryCondition: Sendable {
    private struct State {
        var reading: Task<Void, Never>?
        var latest: Bool?
        var hasEnded = false
        var observers: [Int: @Sendable (Bool?) -> Void] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())
    /// Reads the sequence until it ends or `report` returns false.
    private let read: @Sendable (_ report: @Sendable (Bool) -> Bool) async -> Void

    init<Values: AsyncSequence>(_ values: @escaping @Sendable () -> Values)
    where Values.Element == Bool, Values: SendableMetatype, Values.AsyncIterator: SendableMetatype {
        read = { report in
            var iterator = values().makeAsyncIterator()
            // A sequence that throws has ended.
            while let value = try? await iterator.next(), report(value) {}
        }
    }

    deinit { state.withLock { $0.reading }?.cancel() }

    /// Reports the newest element and those that follow, and nil at the end, until the observation is cancelled.
    func observe(_ report: @escaping @Sendable (Bool?) -> Void) -> Int {
        state.withLock { state in
            state.lastID += 1
            if let latest = state.latest { report(latest) }
            if state.hasEnded { report(nil) } else { state.observers[state.lastID] = report }
            state.reading = state.reading ?? reading()
            return state.lastID
        }
    }

    func cancel(_ observation: Int) { state.withLock { $0.observers[observation] = nil } }

    private func reading() -> Task<Void, Never> {
        Task { [weak self, read] in
            await read { [weak self] value in
                self?.publish(value)
                return self != nil
            }
            self?.publish(nil)
        }
    }

    private func publish(_ value: Bool?) {
        state.withLock { state in
            for report in state.observers.values { report(value) }
            if let value { state.latest = value } else { (state.hasEnded, state.observers) = (true, [:]) }
        }
    }
}

extension Retrier {
    /// Runs attempts only while `condition` is true; several conditions must all be true.
    ///
    /// A condition counts as false before its first element. When it turns false, it cancels a running attempt, which
    /// is reported as an `attemptFailure` with `CancellationError`, or ends a wait. When it turns true again, the next
    /// attempt starts at once and the policy starts afresh; the attempts' indexes continue. A condition that ends while
    /// true stays true. One that ends while false, or throws then, ends the run with `RetrierError.conditionEnded`.
    ///
    /// The expression is evaluated once, by the first run, and its sequence serves all runs: any number of jobs may use
    /// the retrier at the same time, and a later run begins with the newest element. The sequence is read until it ends
    /// or nothing uses the retrier any more.
    public func onlyWhen<Condition: AsyncSequence>(
        _ condition: @autoclosure @escaping @Sendable () -> Condition
    ) -> Retrier
    where Condition.Element == Bool, Condition: SendableMetatype, Condition.AsyncIterator: SendableMetatype {
        with { $0.conditions.append(RetryCondition(condition)) }
    }
}

/// The newest value of each of a run's conditions, and whether all of them are true.
package struct ConditionBoard: Sendable {
    package enum Verdict: Sendable {
        case met, unmet, ended
    }

    /// The number of times that the conditions stopped being met; it never decreases.
    private(set) var lapses = 0
    private var values: [Bool]
    private var hasEndedUnmet = false

    package init(count: Int) { values = Array(repeating: false, count: count) }

    package var verdict: Verdict {
        if hasEndedUnmet { return .ended }
        return values.allSatisfy(\.self) ? .met : .unmet
    }

    package mutating func report(_ value: Bool, of condition: Int) {
        let wasMet = verdict == .met
        values[condition] = value
        if wasMet, verdict != .met { lapses += 1 }
    }

    package mutating func finish(_ condition: Int) {
        if !values[condition] { hasEndedUnmet = true }
    }
}

/// Observes a run's conditions while the run lasts.
final class ConditionWatch: Sendable {
    private let board: ObservableValue<ConditionBoard>
    private let observations: [(condition: RetryCondition, id: Int)]

    init(_ conditions: [RetryCondition]) {
        let board = ObservableValue(ConditionBoard(count: conditions.count))
        self.board = board
        observations = conditions.enumerated().map { index, condition in
            let id = condition.observe { value in
                board.update { if let value { $0.report(value, of: index) } else { $0.finish(index) } }
            }
            return (condition, id)
        }
    }

    deinit { stop() }

    /// Ends the observation.
    func stop() { for (condition, id) in observations { condition.cancel(id) } }

    /// Waits until the conditions are met or can never be met; returns nil when the task is cancelled.
    func waitUntilDecided() async -> ConditionBoard? {
        await board.first { $0.verdict != .unmet }
    }

    /// Waits until the conditions are not met, or have lapsed since `lapses` was counted, and returns the reason.
    ///
    /// - Parameter lapses: The board's count when the conditions were last seen to be met.
    /// - Returns: The reason, or nil when the task is cancelled.
    func interruption(since lapses: Int) async -> Interruption? {
        switch await board.first(where: { $0.verdict != .met || $0.lapses != lapses })?.verdict {
        case .met, .unmet: .conditionUnmet
        case .ended: .conditionEnded
        case nil: nil
        }
    }
}
