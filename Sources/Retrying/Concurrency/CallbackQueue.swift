import Dispatch

/// The context in which handlers run that are not isolated to an actor.
///
/// A handler that is isolated to an actor always runs on that actor.
public enum CallbackQueue: Sendable {
    /// The main queue.
    case main
    /// The context in which the event occurs.
    case untouch
    /// An executor of the caller.
    case executor(any TaskExecutor)

    /// The executor that a task prefers while it calls handlers; nil for none.
    package var executor: (any TaskExecutor)? {
        switch self {
        case .main: MainQueueExecutor.shared
        case .untouch: nil
        case .executor(let executor): executor
        }
    }
}

/// A handler of events, and where it runs.
struct EventHandler<Event: Sendable>: Sendable {
    /// A handler, which runs on the actor that its closure is isolated to.
    typealias Handle = @isolated(any) @Sendable (Event) -> Void

    let queue: CallbackQueue
    let handle: Handle

    /// Calls the handler and waits until it returns.
    func callAsFunction(_ event: Event) async {
        await withTaskExecutorPreference(queue.executor) { await handle(event) }
    }
}

/// An executor that runs jobs on the main queue.
private final class MainQueueExecutor: TaskExecutor {
    static let shared = MainQueueExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
