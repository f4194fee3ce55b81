/// Reports whether the machine has a network link.
public protocol LinkMonitor: Sendable {
    /// Returns a sequence of the current state and each change.
    ///
    /// It ends when there is nothing more to report. An unknown state counts as up.
    func updates() -> AsyncStream<Bool>
}

extension LinkMonitor {
    /// Returns whether there is a link now.
    public func isUp() async -> Bool {
        for await isUp in updates() { return isUp }
        return true
    }

    /// Waits for a link, without limit when `timeout` is nil.
    ///
    /// - Returns: Whether there is a link; false after the time-out or a cancellation.
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
