import Dispatch
import FoundationEssentials
import Raster
import Synchronization

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
    /// - Parameter isLong: Whether the work blocks its thread for milliseconds. Then it must not run on one of Swift's
    ///   few shared threads, which transfers need.
    /// - Throws: The error of the work, or `.cancelled` if the task is cancelled before the work starts.
    package func run<Result: Sendable>(
        priority: Double, isLong: Bool = false, _ work: @escaping @Sendable () throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        let place = try await places.lease(1, priority: priority)
        defer { withExtendedLifetime(place) {} }
        let executor = executor ?? (isLong ? BlockingThreads.shared : nil)
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

/// An executor whose threads may block.
private final class BlockingThreads: TaskExecutor {
    static let shared = BlockingThreads()

    private let queue = DispatchQueue(label: "processing", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A number of units, such as bytes of memory or processor cores, shared among concurrent work.
///
/// Work that needs more than all units runs alone. The waiter with the highest priority is next, even if another one
/// needs less, so that large images get their turn.
final class ResourceBudget: Sendable {
    /// A part of the budget; it is released when its last reference goes away.
    final class Lease: Sendable {
        private let units: Int
        private let budget: ResourceBudget

        fileprivate init(_ units: Int, of budget: ResourceBudget) { (self.units, self.budget) = (units, budget) }

        deinit { budget.release(units) }
    }

    private struct Waiter {
        let id: Int
        let units: Int
        let priority: Double
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var lastID = 0
        /// The waiters by priority, highest first; equal priorities are in order of arrival.
        var waiters: [Waiter] = []
    }

    private let size: Int
    private let state: Mutex<State>

    init(_ units: Int) {
        size = max(1, units)
        state = Mutex(State(free: max(1, units)))
    }

    /// The number of waiters.
    var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Waits until the units are free.
    ///
    /// - Throws: `.cancelled` if the task is cancelled before.
    func lease(_ units: Int, priority: Double) async throws(ImageError) -> Lease {
        let units = min(max(0, units), size)
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(id: id, units: units, priority: priority, continuation: continuation)
                change { state in
                    // If the task was cancelled before this point, `onCancel` found no waiter.
                    if Task.isCancelled { return [(continuation, false)] }
                    let place = state.waiters.firstIndex { $0.priority < priority } ?? state.waiters.endIndex
                    state.waiters.insert(waiter, at: place)
                    return []
                }
            }
        } onCancel: {
            change { state in
                guard let place = state.waiters.firstIndex(where: { $0.id == id }) else { return [] }
                return [(state.waiters.remove(at: place).continuation, false)]
            }
        }
        guard isGranted else { throw .cancelled }
        return Lease(units, of: self)
    }

    private func release(_ units: Int) {
        change { state in
            state.free += units
            return []
        }
    }

    /// Changes the state, grants units to the next waiters, and resumes them outside the lock.
    private func change(_ body: (inout State) -> [(CheckedContinuation<Bool, Never>, Bool)]) {
        let woken = state.withLock { state in
            var woken = body(&state)
            while let first = state.waiters.first, first.units <= state.free {
                state.free -= first.units
                state.waiters.removeFirst()
                woken.append((first.continuation, true))
            }
            return woken
        }
        for (continuation, isGranted) in woken { continuation.resume(returning: isGranted) }
    }
}

extension ImageHeader {
    /// Returns the estimated peak memory, in bytes, to decode into a box and process the result.
    ///
    /// JPEG is scaled while it is decoded. A still PNG is unpacked first, with up to 64 MiB at a time. The others are
    /// decoded at full size. With steps, the estimate includes a step's result and its encoded form.
    func memory(within box: PixelSize?, steps: Int) -> Int {
        // No decoder accepts larger sizes, and computing with them could overflow.
        guard size.area < 1 << 48 else { return .max }
        let whole = size.area * 4
        let result = size.fitted(into: box).area * 4
        let working =
            switch format {
            case .jpeg: result / 2
            case .png where frameCount == 1: min(whole, 64 << 20)
            default: whole
            }
        return result + max(working, steps > 0 ? 2 * result : 0)
    }
}
