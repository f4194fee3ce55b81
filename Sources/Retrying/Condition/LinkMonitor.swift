/// A source of news about whether the machine has a network link.
public protocol LinkMonitor: Sendable {
    /// The link's state now, then each change; a sequence of its own for each call.
    ///
    /// It ends when nothing more can be learned. A state that cannot be known counts as up.
    func updates() -> AsyncStream<Bool>
}

extension LinkMonitor {
    /// Whether there is a link now.
    public func isUp() async -> Bool {
        for await isUp in updates() { return isUp }
        return true
    }

    /// Waits for a link, at most until the time-out; true when there is one.
    ///
    /// Nil, the default, waits without limit. A cancelled wait returns false.
    public func waitUntilUp(timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()) async -> Bool {
        let clock = RunClock(clock)
        let alarms: [@Sendable () async -> Interruption?] =
            timeout.map { timeout in
                [{ await clock.wait(until: timeout.clamped()) ? .timedOut : nil }]
            } ?? []
        return await interruptible(by: alarms) { await firstUp() }.result
    }

    private func firstUp() async -> Bool {
        for await isUp in updates() where isUp { return true }
        return false
    }
}
