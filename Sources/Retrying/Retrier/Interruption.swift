/// What can cut an attempt or a wait short.
enum Interruption: Sendable {
    case conditionUnmet, conditionEnded, timedOut
}

/// Does `work` while every one of `alarms` is silent; the first that goes off cancels it.
///
/// It returns when the work has, cancelled or not, so nothing is left running.
func interruptible<Result: Sendable>(
    by alarms: [@Sendable () async -> Interruption?], _ work: @escaping @Sendable () async -> Result
) async -> (result: Result, interruption: Interruption?) {
    guard !alarms.isEmpty else { return (await work(), nil) }
    // The alarms watch in a group of their own, whose first news cancels the work's task.
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
