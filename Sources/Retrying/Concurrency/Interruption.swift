/// The reasons to cut an attempt or a wait short.
enum Interruption: Sendable {
    case conditionUnmet, conditionEnded, timedOut
}

/// Runs `work` and cancels it when the first of `alarms` returns a reason.
///
/// Returns after the work has returned, cancelled or not, so nothing is left running.
func interruptible<Result: Sendable>(
    by alarms: [@Sendable () async -> Interruption?], _ work: @escaping @Sendable () async -> Result
) async -> (result: Result, interruption: Interruption?) {
    guard !alarms.isEmpty else { return (await work(), nil) }
    // The work is not a child of the alarms' group, so that an alarm can cancel the work alone.
    return await withTaskGroup(of: Interruption?.self) { group in
        let task = Task { await work() }
        for alarm in alarms {
            group.addTask {
                let interruption = await alarm()
                if interruption != nil { task.cancel() }
                return interruption
            }
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        group.cancelAll()
        let interruption = await group.first { $0 != nil } ?? nil
        return (result, interruption)
    }
}
