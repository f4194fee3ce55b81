import Foundation
import Synchronization

/// The place where a handler runs.
public enum CallbackQueue: Sendable {
    /// The main queue, always after the current work.
    case mainAsync
    /// The main queue; at once if the caller is on it.
    case mainCurrentOrAsync
    /// The thread of the caller.
    case untouch
    /// A dispatch queue.
    case dispatch(DispatchQueue)
    /// An operation queue.
    case operationQueue(OperationQueue)

    /// Runs the block there.
    public func execute(_ block: @escaping @Sendable () -> Void) {
        switch self {
        case .mainCurrentOrAsync where Self.isOnMainQueue: block()
        case .mainAsync, .mainCurrentOrAsync: DispatchQueue.main.async(execute: block)
        case .untouch: block()
        case .dispatch(let queue): queue.async(execute: block)
        case .operationQueue(let queue): queue.addOperation(block)
        }
    }

    /// Whether the caller runs on the main queue, which any thread may do in programs with an asynchronous main.
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainMark) == true }

    private static let mainMark = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    /// The executor of the queue for long work; nil for a thread of the library.
    var executor: (any TaskExecutor)? {
        switch self {
        case .untouch: nil
        default: QueueExecutor(queue: self)
        }
    }
}

/// Kingfisher's second name of `CallbackQueue`.
public typealias ExecutionQueue = CallbackQueue

/// An executor that runs jobs on a callback queue.
private final class QueueExecutor: TaskExecutor {
    private let queue: CallbackQueue

    init(queue: CallbackQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A closure that is set later and does not keep its target.
public final class Delegate<Input: Sendable, Output: Sendable>: Sendable {
    private let block = Locked<(@Sendable (Input) -> Output?)?>(nil)

    /// Creates a delegate without a closure.
    public init() {}

    /// Whether there is a closure.
    public var isSet: Bool { block.value != nil }

    /// Sets the closure, which is called with the target as long as that exists.
    public func delegate<Target: AnyObject & Sendable>(
        on target: Target, block: (@Sendable (Target, Input) -> Output)?
    ) {
        self.block.value = nil
        guard let block else { return }
        self.block.value = { [weak target] input in target.map { block($0, input) } }
    }

    /// Calls the closure; nil if there is none.
    public func call(_ input: Input) -> Output? { block.value?(input) }

    /// Calls the closure; nil if there is none.
    public func callAsFunction(_ input: Input) -> Output? { call(input) }
}

/// A value that any thread may read and replace.
final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }

    /// Changes the value under the lock.
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }
}

/// Returns a copy of a value with a change.
func changed<Value>(_ value: Value, by change: (inout Value) throws -> Void) rethrows -> Value {
    var copy = value
    try change(&copy)
    return copy
}

extension Duration {
    /// Creates a duration from seconds, which are clamped to 0…1e9 (about 30 years); 0 if they are no number.
    init(seconds: Double) { self = .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 1e9)) }
}
