import Foundation

/// Decodes and processes a few pictures at a time, the most urgent first, in bounded memory.
public final class ProcessingQueue: Sendable {
    /// How many run at a time.
    public let width: Int
    /// The memory for pictures between decoding and their last step.
    let memory: ResourceBudget
    private let places: ResourceBudget
    private let executor: (any TaskExecutor)?

    /// A queue of a width, on an executor of the caller's own or, by default, on Swift's shared one.
    ///
    /// `memory` bounds the bytes of all pictures that are decoded and processed at the same time, 256 MiB by default; one
    /// that needs more is worked on alone.
    public init(width: Int, memory: Int = 256 << 20, executor: (any TaskExecutor)? = nil) {
        self.width = max(1, width)
        self.memory = ResourceBudget(memory)
        self.executor = executor
        places = ResourceBudget(self.width)
    }

    /// The queue of all who name none, as wide as there are cores.
    public static let shared = ProcessingQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    /// How many wait for their turn.
    var waitingCount: Int { places.waitingCount }

    /// Runs the work off the caller's actor when its turn comes; `.cancelled` when the task is cancelled before.
    func run<Result: Sendable>(
        priority: Double, _ work: @escaping @Sendable () throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        let place = try await places.lease(1, priority: priority)
        defer { withExtendedLifetime(place) {} }
        let outcome = await withTaskExecutorPreference(executor) { await Self.outcome(of: work) }
        return try outcome.get()
    }

    @concurrent
    private static func outcome<Result: Sendable>(
        of work: @Sendable () throws(ImageError) -> Result
    ) async -> Swift.Result<Result, ImageError> {
        guard !Task.isCancelled else { return .failure(.cancelled) }
        do throws(ImageError) { return .success(try work()) } catch { return .failure(error) }
    }
}
