/// Waits until a condition on another process holds, looking 50 times a second; throws after a minute.
///
/// Another process has no event to wait for; within this one, wait for the event itself.
public func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(60)
    while try await !condition() {
        guard clock.now < deadline else { throw NeverCame(what: what) }
        try await clock.sleep(until: clock.now + .milliseconds(20))
    }
}

/// What a test waited for in vain.
public struct NeverCame: Error, CustomStringConvertible {
    let what: String

    public var description: String { "never came: \(what)" }
}
