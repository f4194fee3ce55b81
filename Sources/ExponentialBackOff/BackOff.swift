/// The state of a back-off.
public enum BackOffState: Sendable {
    /// Attempts run or wait.
    case running
    /// Not started yet, or stopped early.
    case stopped
    /// No attempt succeeded in time.
    case failed
    /// An attempt succeeded.
    case succeeded
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension BackOffState {
    /// The state `stopped`, as the model's manual writes it.
    public static let Stopped = stopped
    /// The state `failed`, as the model's manual writes it.
    public static let Failed = failed
}

/// Code that is run until it succeeds, as a type instead of a closure.
@preconcurrency public protocol BackOff: Sendable {
    /// Makes one attempt, on a background thread.
    ///
    /// - Parameters:
    ///   - lastIntervallMillis: The wait before this attempt in milliseconds, 0 before the first one.
    ///   - elapsedTimeMillis: The time since the start in milliseconds.
    ///   - completion: To be called once, from any thread, with whether the attempt succeeded; later calls do nothing.
    ///     Returns the state of the back-off.
    func run(
        _ lastIntervallMillis: Int, elapsedTimeMillis: Int,
        completion: @escaping @Sendable (_ success: Bool) -> BackOffState)
}

/// A way to repeat code until it succeeds; `ExponentialBackOffInstance` is one.
@preconcurrency public protocol BackOffAlgorithm: AnyObject, Sendable {
    /// The current state.
    var currentState: BackOffState { get }

    /// Starts to run the code, and returns itself.
    ///
    /// - Parameter completion: Called once when the algorithm has succeeded, failed or was stopped.
    @discardableResult
    func algorithm(
        _ backOff: any BackOff, completion: (@Sendable (_ state: BackOffState) -> Void)?
    ) -> any BackOffAlgorithm

    /// Stops the execution if it runs; returns the state.
    @discardableResult
    func stopExecution() -> BackOffState

    /// Runs the same code again from the start unless it runs; returns the state.
    @discardableResult
    func reset() -> BackOffState
}

extension BackOffAlgorithm {
    /// Starts to run the code, and returns itself.
    @discardableResult
    public func algorithm(_ backOff: any BackOff) -> any BackOffAlgorithm { algorithm(backOff, completion: nil) }
}

/// The answer of an attempt: `completion(success: true)` or `completion(true)`.
public struct BackOffCompletion: Sendable {
    let answer: @Sendable (Bool) -> BackOffState

    /// Tells whether the attempt succeeded, and returns the state of the back-off.
    @discardableResult
    public func callAsFunction(success: Bool) -> BackOffState { answer(success) }

    /// Tells whether the attempt succeeded, and returns the state of the back-off.
    @discardableResult
    public func callAsFunction(_ success: Bool) -> BackOffState { answer(success) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The default settings of a back-off.
public enum BackOffProperties {
    /// The first interval: 0.5 s.
    public static let DEFAULT_INITIAL_INTERVAL_MILLIS = 500
    /// The longest time for all attempts: 15 min.
    public static let DEFAULT_MAX_ELAPSED_TIME_MILLIS = 900_000
    /// The longest interval: 1 min.
    public static let DEFAULT_MAX_INTERVAL_MILLIS = 60_000
    /// The factor from one interval to the next.
    public static let DEFAULT_MULTIPLIER = 1.5
    /// The half-width of the random range, as a part of the interval.
    public static let DEFAULT_RANDOMIZATION_FACTOR = 0.5
}
