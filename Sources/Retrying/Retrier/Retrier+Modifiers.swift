extension Retrier {
    /// Allows `maxAttempts` attempts in all; 0 or less runs none and ends with `RetrierError.noAttemptLeft`.
    ///
    /// An attempt that a condition cut short counts too.
    public func giveUpAfter(maxAttempts: Int) -> Retrier {
        with { $0.attemptLimit = min($0.attemptLimit ?? .max, max(0, maxAttempts)) }
    }

    /// Gives up when the next attempt would start `timeout` or more after the run began.
    ///
    /// A running attempt is left to end, unless `abortingAttempt` is true: then it is cancelled at the time-out and
    /// the run ends with `RetrierError.timedOut`. So does a run that still waits for a condition at that moment.
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

    /// Gives up when `isFinal` is true of a failure and the delay chosen after it.
    public func giveUp(on isFinal: @escaping @Sendable (AttemptFailure, Duration) -> Bool) -> Retrier {
        with { $0.giveUps.append(isFinal) }
    }

    /// After a success waits for `delay`, negative counting as 0, and runs again, with policy, indexes and time-outs
    /// from the start.
    public func repeating(withDelay delay: Duration) -> Retrier {
        with { $0.repeatDelay = delay.clamped() }
    }

    /// Lets an error say how long to wait, in place of the policy.
    ///
    /// A delay up to `cap` (60 s) is waited for, plus a chance part of 0 … `jitter` (0.5 s), so that clients told the
    /// same do not return together. For a longer one the run gives up with that error. Where `delay` answers nil, and
    /// where the policy gives up, the policy stands. Of several modifiers the longest answer holds.
    public func honouringServerDelay(
        upTo cap: Duration = .seconds(60), jitter: Duration = .milliseconds(500),
        _ delay: @escaping @Sendable (any Error) -> Duration?
    ) -> Retrier {
        with { $0.serverDelays.append(ServerDelay(cap: cap.clamped(), jitter: jitter.clamped(), delay: delay)) }
    }

    /// Calls `handler` with each event of each run, in order, before the job's reader gets it.
    public func handleRetrierEvents(_ handler: @escaping @Sendable (RetrierEvent<any Sendable>) -> Void) -> Retrier {
        with { $0.eventHandlers.append(handler) }
    }

    /// Measures and waits on another clock.
    public func timed(by clock: any Clock<Duration>) -> Retrier {
        with { $0.clock = clock }
    }

    /// Draws from another source of chance.
    public func randomized(by random: @escaping RandomSource) -> Retrier {
        with { $0.makeGenerator = random }
    }

    func with(_ change: (inout Retrier) -> Void) -> Retrier {
        var copy = self
        change(&copy)
        return copy
    }
}
