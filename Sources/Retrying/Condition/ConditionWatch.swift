/// The task that follows a run's conditions while the run lasts.
final class ConditionWatch: Sendable {
    private let board: Signal<ConditionBoard>
    private let task: Task<Void, Never>

    init(_ conditions: [RetryCondition]) {
        let board = Signal(ConditionBoard(count: conditions.count))
        self.board = board
        task = Task {
            await withTaskGroup { group in
                for (index, condition) in conditions.enumerated() {
                    group.addTask {
                        await condition.observe { value in board.update { $0.report(value, of: index) } }
                        board.update { $0.end(index) }
                    }
                }
            }
        }
    }

    deinit { task.cancel() }

    /// Waits until the conditions are met, or never will be; nil when the waiting task is cancelled.
    func untilSettled() async -> ConditionBoard? {
        await board.first { $0.verdict != .unmet }
    }

    /// Waits until the conditions are not met or have not been for a moment, and says why.
    ///
    /// `lapses` is the board's count when they were last seen met. Nil when the waiting task is cancelled.
    func interruption(since lapses: Int) async -> Interruption? {
        switch await board.first(where: { $0.verdict != .met || $0.lapses != lapses })?.verdict {
        case .met, .unmet: .conditionUnmet
        case .ended: .conditionEnded
        case nil: nil
        }
    }

    /// Cancels the following and returns when it has ended.
    func stop() async {
        task.cancel()
        await task.value
    }
}
