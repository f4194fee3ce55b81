// Names of SwiftRetrier and ExponentialBackOff that are typed by habit. The compiler says what stands in their place; the
// products `RetryingCombine` and `ExponentialBackOff` have the models' own.

@available(*, unavailable, renamed: "ExponentialPolicy")
public typealias ExponentialBackoffRetryPolicy = ExponentialPolicy
@available(*, unavailable, renamed: "ConstantPolicy")
public typealias ConstantDelayRetryPolicy = ConstantPolicy
@available(*, unavailable, renamed: "RetrierError")
public typealias RetryError = RetrierError
@available(*, unavailable, renamed: "RetryJob")
public typealias JobRetrier<Value: Sendable> = RetryJob<Value>
@available(*, unavailable, renamed: "RetryJob")
public typealias JobRepeater<Value: Sendable> = RetryJob<Value>
@available(*, unavailable, renamed: "BackOffPolicy")
public typealias ExponentialBackOffInstance = BackOffPolicy

extension Retrier {
    @available(*, unavailable, message: "write Retrier(policy).onlyWhen(condition)")
    public init(policy: any RetryPolicy, conditionPublisher: Any?) { self.init(policy) }

    @available(*, unavailable, renamed: "giveUpOnErrors(_:)")
    public func giveUpOnErrors(matching isFinal: @escaping @Sendable (any Error) -> Bool) -> Retrier { self }
}
