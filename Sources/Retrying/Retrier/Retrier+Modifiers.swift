extension Retrier {
    /// Allows `maxAttempts` attempts in total; with 0 or less, a run ends with `RetrierError.noAttemptLeft`.
    ///
    /// Attempts that a condition interrupted count, too.
    public func giveUpAfter(maxAttempts: Int) -> Retrier {
        with { $0.attemptLimit = min($0.attemptLimit ?? .max, max(0, maxAttempts)) }
    }

    /// Gives up when the next attempt would start `timeout` or more after the run began.
    ///
    /// A running attempt may finish, unless `abortingAttempt` is true: then it is cancelled at the time-out and the run
    /// ends with `RetrierError.timedOut`. A run that waits for a condition at that moment ends in the same way.
    public func giveUpAfter(timeout: Duration, abortingAttempt: Bool = false) -> Retrier {
        with {
            $0.timeout = min($0.timeout ?? .longestDelay, timeout.clamped())
            guard abortingAttempt else { return }
            $0.abortTimeout = min($0.abortTimeout ?? .longestDelay, timeout.clamped())
        }
    }

    /// Gives up on errors for which `isFinal` is true.
    public func giveUpOnErrors(_ isFinal: @escaping @Sendable (any Error) -> Bool) -> Retrier {
        giveUp { failure, _ in isFinal(failure.error) }
    }

    /// Gives up when `isFinal` is true for a failure and the delay chosen after it.
    public func giveUp(on isFinal: @escaping @Sendable (AttemptFailure, Duration) -> Bool) -> Retrier {
        with { $0.giveUps.append(isFinal) }
    }

    /// Waits for `delay` after a success and repeats the work; policy, indexes and time-outs start afresh.
    public func repeating(withDelay delay: Duration) -> Retrier {
        with { $0.repeatDelay = delay.clamped() }
    }

    /// Replaces the policy's delay with one that the error contains.
    ///
    /// With several modifiers, the longest delay applies. When the policy gives up, the run gives up, too.
    /// - Parameters:
    ///   - cap: The longest accepted delay, 60 s by default. The run gives up when the error asks for more.
    ///   - jitter: A random part of 0 … `jitter` (0.5 s) is added, so that clients with the same delay do not return
    ///     together.
    ///   - delay: Returns the delay in an error, or nil to use the policy's.
    public func honouringServerDelay(
        upTo cap: Duration = .seconds(60), jitter: Duration = .milliseconds(500),
        _ delay: @escaping @Sendable (any Error) -> Duration?
    ) -> Retrier {
        with { $0.serverDelays.append(ServerDelay(cap: cap.clamped(), jitter: jitter.clamped(), delay: delay)) }
    }

    /// Calls `handler` with each event of each run, in order, before the job returns it.
    ///
    /// A handler that is written on an actor is isolated to it, and runs there.
    ///
    /// - Parameter queue: Where a handler runs that is not isolated to an actor; by default on any thread.
    public func handleRetrierEvents(
        on queue: CallbackQueue = .untouch,
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (RetrierEvent<any Sendable>) -> Void
    ) -> Retrier {
        with { $0.eventHandlers.append(EventHandler(queue: queue, handle: handler)) }
    }

    /// Uses another clock to measure and to wait.
    public func timed(by clock: any Clock<Duration>) -> Retrier {
        with { $0.clock = clock }
    }

    /// Uses another source of randomness.
    public func randomized(by random: @escaping RandomSource) -> Retrier {
        with { $0.makeGenerator = random }
    }

    func with(_ change: (inout Retrier) -> Void) -> Retrier {
        var copy = self
        change(&copy)
        return copy
    }
}
