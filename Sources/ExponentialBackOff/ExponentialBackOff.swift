// Importing this module is enough for the examples of its model.
@_exported import Dispatch
@_exported import Glibc
import Synchronization

/// Starts back-offs.
public final class ExponentialBackOff: Sendable {
    /// The only instance.
    public static let sharedInstance = ExponentialBackOff()

    private let instances = Mutex<[any BackOffAlgorithm]>([])

    private init() {}

    /// The back-offs that were started here and have not ended.
    public var allBackOffInstances: [any BackOffAlgorithm] { instances.withLock { $0 } }

    /// Starts a back-off with a closure, which runs on a background thread.
    ///
    /// - Parameters:
    ///   - backOff: The back-off. One that runs already goes on with its own code.
    ///   - codeToRun: One attempt. It receives the last interval and the elapsed time in milliseconds, and calls the
    ///     completion when it knows whether it succeeded.
    ///   - completion: Called when the back-off has ended.
    public func runGeneralBackOff(
        _ backOff: any BackOffAlgorithm,
        codeToRun:
            @escaping @Sendable (
                _ lastIntervallMillis: Int, _ elapsedTimeMillis: Int, _ completion: BackOffCompletion
            ) -> Void,
        completion: (@Sendable (_ state: BackOffState) -> Void)? = nil
    ) {
        runGeneralBackOff(backOff, backOffProtocolToRun: Code(code: codeToRun), completion: completion)
    }

    /// Starts a back-off with a closure that was stored with the type of its completion written out.
    @_disfavoredOverload
    public func runGeneralBackOff(
        _ backOff: any BackOffAlgorithm,
        codeToRun: @escaping @Sendable (Int, Int, @escaping @Sendable (_ success: Bool) -> BackOffState) -> Void,
        completion: (@Sendable (_ state: BackOffState) -> Void)? = nil
    ) {
        let code = Code { codeToRun($0, $1, $2.answer) }
        runGeneralBackOff(backOff, backOffProtocolToRun: code, completion: completion)
    }

    /// Starts a back-off with an object instead of a closure.
    public func runGeneralBackOff(
        _ backOff: any BackOffAlgorithm, backOffProtocolToRun: any BackOff,
        completion: (@Sendable (_ state: BackOffState) -> Void)? = nil
    ) {
        instances.withLock { all in
            if !all.contains(where: { $0 === backOff }) { all.append(backOff) }
        }
        let start = { @Sendable [self] in
            _ = backOff.algorithm(backOffProtocolToRun) { [self, weak backOff] state in
                instances.withLock { $0.removeAll { $0 === backOff } }
                completion?(state)
            }
        }
        // Ours returns at once and can then be stopped; an algorithm of the caller may make its attempts here.
        if backOff is ExponentialBackOffInstance { start() } else { DispatchQueue.global().async(execute: start) }
    }

    private struct Code: BackOff {
        let code: @Sendable (Int, Int, BackOffCompletion) -> Void

        func run(
            _ lastIntervallMillis: Int, elapsedTimeMillis: Int,
            completion: @escaping @Sendable (Bool) -> BackOffState
        ) {
            code(lastIntervallMillis, elapsedTimeMillis, BackOffCompletion(answer: completion))
        }
    }
}
