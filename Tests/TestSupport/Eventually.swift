/// Waits until a condition on another process holds, looking 50 times a second; throws after a minute.
///
/// Another process has no event to wait for; within this one, wait for the event itself.
///
/// - Parameter seen: What the error shows beside the name, such as the screen.
public func eventually(
    _ what: String, seen: @autoclosure () -> String = "", _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(60)
    while try await !condition() {
        guard clock.now < deadline else { throw NeverCame(what: what, seen: seen()) }
        try await clock.sleep(until: clock.now + .milliseconds(20))
    }
}

/// Returns as soon as a condition of this process holds, or the task is cancelled, as it is when the test's time is up.
///
/// For conditions that announce nothing; where the code under test has an event, wait for that.
public func until(_ condition: () async throws -> Bool) async rethrows {
    while try await !condition(), !Task.isCancelled { await Task.yield() }
}

/// What a test waited for in vain.
public struct NeverCame: Error, CustomStringConvertible {
    let what: String
    let seen: String

    public var description: String { "never came: \(what)\(seen.isEmpty ? "" : "\n\(seen)")" }
}
