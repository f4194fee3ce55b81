import Foundation
import Retrying

/// A failed load, about which a retry strategy decides.
public final class RetryContext: Sendable {
    /// The source that was asked for.
    public let source: Source
    private let state: Locked<(error: KingfisherError, count: Int, userInfo: (any Sendable)?)>

    init(source: Source, error: KingfisherError) {
        self.source = source
        state = Locked((error, 0, nil))
    }

    /// The newest error.
    public var error: KingfisherError { state.value.error }
    /// The number of retries so far.
    public var retriedCount: Int { state.value.count }
    /// The value that came with the last decision; nil at the first failure.
    public internal(set) var userInfo: (any Sendable)? {
        get { state.value.userInfo }
        set { state.change { $0.userInfo = newValue } }
    }

    func failedAgain(_ error: KingfisherError) {
        state.change { $0 = (error, $0.count + 1, $0.userInfo) }
    }
}

/// The decision about a failed load.
public enum RetryDecision: Sendable {
    /// Tries again; the value is in the next context.
    case retry(userInfo: (any Sendable)?)
    /// Gives up.
    case stop
}

/// A strategy that decides about failed loads; programs can add their own.
public protocol RetryStrategy: Sendable {
    /// Calls the handler with the decision, at once or when the next attempt may begin.
    func retry(context: RetryContext, retryHandler: @escaping @Sendable (RetryDecision) -> Void)
}

extension RetryStrategy {
    /// Returns the decision; `.stop` if the calling task is cancelled before.
    func decision(about context: RetryContext) async -> RetryDecision {
        let waiting = Locked<CheckedContinuation<RetryDecision, Never>?>(nil)
        @Sendable func decide(_ decision: RetryDecision) {
            waiting.change { continuation in
                defer { continuation = nil }
                return continuation
            }?.resume(returning: decision)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.value = continuation
                if Task.isCancelled { decide(.stop) } else { retry(context: context, retryHandler: decide) }
            }
        } onCancel: {
            decide(.stop)
        }
    }
}

/// A strategy that tries again after failures of a transfer, a number of times.
public struct DelayRetryStrategy: RetryStrategy {
    /// The time before a retry, in seconds.
    public enum Interval: Sendable {
        /// The same time every time.
        case seconds(TimeInterval)
        /// The time, then twice the time, and so on.
        case accumulated(TimeInterval)
        /// A time by the number of retries so far.
        case custom(block: @Sendable (_ retriedCount: Int) -> TimeInterval)

        func time(after count: Int) -> TimeInterval {
            switch self {
            case .seconds(let time): time
            case .accumulated(let time): time * Double(count + 1)
            case .custom(let block): block(count)
            }
        }
    }

    /// The number of retries.
    public let maxRetryCount: Int
    /// The time before each.
    public let retryInterval: Interval

    /// Creates a strategy; the retries are 3 s apart by default.
    public init(maxRetryCount: Int, retryInterval: Interval = .seconds(3)) {
        (self.maxRetryCount, self.retryInterval) = (maxRetryCount, retryInterval)
    }

    /// Retries errors of a transfer or its response.
    public func retry(context: RetryContext, retryHandler: @escaping @Sendable (RetryDecision) -> Void) {
        guard context.retriedCount < maxRetryCount, context.error.isOfResponse else { return retryHandler(.stop) }
        let time = retryInterval.time(after: context.retriedCount)
        guard time > 0 else { return retryHandler(.retry(userInfo: nil)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + min(time, 1e9)) { retryHandler(.retry(userInfo: nil)) }
    }
}

/// A strategy that tries again when the machine has a network link, at most three times.
public struct NetworkRetryStrategy: RetryStrategy {
    private let timeout: TimeInterval?

    /// Creates a strategy; a link that is missing for the time, 30 s by default, ends the retries.
    public init(timeoutInterval: TimeInterval? = 30) { timeout = timeoutInterval }

    /// Retries errors of a transfer or its response as soon as there is a link.
    public func retry(context: RetryContext, retryHandler: @escaping @Sendable (RetryDecision) -> Void) {
        guard context.retriedCount < 3, context.error.isOfResponse else { return retryHandler(.stop) }
        let waiting = Task {
            for await hasLink in NetlinkMonitor().updates() where hasLink { return retryHandler(.retry(userInfo: nil)) }
            retryHandler(.stop)
        }
        guard let timeout else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { waiting.cancel() }
    }
}

extension KingfisherError {
    fileprivate var isOfResponse: Bool { if case .responseError = self { true } else { false } }
}
