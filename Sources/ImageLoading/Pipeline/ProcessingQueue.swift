import Foundation

/// A queue that decodes and processes a few images at a time, the most urgent first, within a memory limit.
public final class ProcessingQueue: Sendable {
    /// The number of images that are worked on at a time.
    public let width: Int
    /// The memory budget for images between decoding and their last step.
    let memory: ResourceBudget
    private let places: ResourceBudget
    private let executor: (any TaskExecutor)?

    /// Creates a queue.
    ///
    /// - Parameter width: The number of images that are worked on at a time, at least 1.
    /// - Parameter memory: The limit for the bytes of all images in work, 256 MiB by default; an image that needs more
    ///   is worked on alone.
    /// - Parameter executor: The executor for the work; Swift's shared one by default.
    public init(width: Int, memory: Int = 256 << 20, executor: (any TaskExecutor)? = nil) {
        self.width = max(1, width)
        self.memory = ResourceBudget(memory)
        self.executor = executor
        places = ResourceBudget(self.width)
    }

    /// The shared queue, as wide as the number of cores; it is the default.
    public static let shared = ProcessingQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    /// The number of waiting pieces of work.
    var waitingCount: Int { places.waitingCount }

    /// Runs the work outside the caller's actor when its turn comes.
    ///
    /// - Throws: The error of the work, or `.cancelled` if the task is cancelled before the work starts.
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
