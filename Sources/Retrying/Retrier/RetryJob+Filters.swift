extension RetryJob {
    /// A failed attempt as told by `attemptFailure`.
    public typealias Failed = (index: Int, error: any Error, delay: Duration?)

    /// The values of the successful attempts.
    public func success() -> some AsyncSequence<Value, Never> & Sendable {
        compactMap { event in
            guard case .attemptSuccess(let value) = event else { return nil }
            return value
        }
    }

    /// The failed attempts.
    public func failure() -> some AsyncSequence<Failed, Never> & Sendable {
        compactMap { event in
            guard case .attemptFailure(let index, let error, let delay) = event else { return nil }
            return (index, error, delay)
        }
    }

    /// The completion alone: nil after a success, otherwise the error.
    public func completion() -> some AsyncSequence<(any Error)?, Never> & Sendable {
        compactMap { event -> (any Error)?? in
            guard case .completion(let error) = event else { return nil }
            return .some(error)
        }
    }
}
