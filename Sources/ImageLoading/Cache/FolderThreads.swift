import Dispatch
import NIOPosix
import Synchronization

/// Threads for the work on a folder whose file system may hang, as another program serves it.
///
/// What hangs never lets go of its thread, and those that all tasks share are as few as the processors.
final class FolderThreads: TaskExecutor {
    private struct Waiting {
        /// Called with the work's number when it is given up.
        var works: [Int: @Sendable () -> Void] = [:]
        var last = 0
        /// What has this number or a lower one was there at the last look.
        var seen = 0
        var isWatched = false
    }

    private let probe: FolderProbe
    private let problem: CacheFolderProblem
    private let patience: DispatchTimeInterval
    private let pool: NIOThreadPool
    private let watch = DispatchQueue(label: "alcedo.cache.watch")
    private let waiting = Mutex(Waiting())

    /// Threads for the folder at a path.
    ///
    /// Work that took `patience`, twice that at most, is given up when the probe has no answer within it: 3 s by default,
    /// as a slow disk may have much to write before it answers.
    init(path: String, probe: FolderProbe, patience: DispatchTimeInterval = .seconds(3)) {
        self.probe = probe
        self.patience = patience
        problem = .silent(path)
        pool = NIOThreadPool(numberOfThreads: 4)
        pool.start()
    }

    deinit { pool.shutdownGracefully(queue: .global()) { _ in } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { [self] _ in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// The result of work; throws `.silent` as soon as the folder is known not to answer.
    ///
    /// Work that was given up goes on, unheard, when the folder does.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard !probe.isSilent else { throw problem }
        let task = Task(executorPreference: self) { try await work() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let number = add { [problem] in continuation.resume(throwing: problem) }
                Task {
                    let result = await task.result
                    if self.remove(number) { continuation.resume(with: result) }
                }
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func add(_ giveUp: @escaping @Sendable () -> Void) -> Int {
        let (number, isWatched) = waiting.withLock { waiting in
            defer { waiting.isWatched = true }
            waiting.last += 1
            waiting.works[waiting.last] = giveUp
            return (waiting.last, waiting.isWatched)
        }
        if !isWatched { lookLater() }
        return number
    }

    /// False for what was given up.
    private func remove(_ number: Int) -> Bool { waiting.withLock { $0.works.removeValue(forKey: number) != nil } }

    private func lookLater() { watch.asyncAfter(deadline: .now() + patience) { [weak self] in self?.look() } }

    /// What was there at the last look takes long: either it has much to do, or it hangs.
    private func look() {
        let takesLong = waiting.withLock { waiting in
            defer { waiting.seen = waiting.last }
            return waiting.works.keys.contains { $0 <= waiting.seen }
        }
        if takesLong, !probe.answers(within: patience) { giveUp() }
        let goesOn = waiting.withLock { waiting in
            waiting.isWatched = !waiting.works.isEmpty
            return waiting.isWatched
        }
        if goesOn { lookLater() }
    }

    private func giveUp() {
        let works = waiting.withLock { waiting in
            defer { waiting.works = [:] }
            return waiting.works
        }
        for giveUp in works.values { giveUp() }
    }
}
