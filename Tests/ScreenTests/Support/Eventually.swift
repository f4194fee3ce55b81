import Testing

/// Waits until the condition holds; a minute without it is an issue and throws.
func eventually(
    _ what: Comment, location: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("never came: \(what)", sourceLocation: location)
            throw NeverCame()
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

struct NeverCame: Error {}
