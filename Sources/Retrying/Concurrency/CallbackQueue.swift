/// The isolation in which handlers run.
public enum CallbackQueue: Sendable {
    /// The main actor.
    case main
    /// The context in which the event occurs: no hop to another one.
    case untouch
    /// An executor of the caller.
    case executor(any TaskExecutor)

    /// Runs `work` there and returns after it.
    func run(_ work: @escaping @Sendable () -> Void) async {
        switch self {
        case .main: await MainActor.run(body: work)
        case .untouch: work()
        case .executor(let executor): await Task(executorPreference: executor) { work() }.value
        }
    }
}

/// A handler of events, and where it runs.
struct EventHandler<Event: Sendable>: Sendable {
    let queue: CallbackQueue
    let handle: @Sendable (Event) -> Void

    /// Calls the handler and returns after it.
    func callAsFunction(_ event: Event) async {
        await queue.run { handle(event) }
    }
}
