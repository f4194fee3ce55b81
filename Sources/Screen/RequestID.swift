/// Identifies a request; a result with another number than the current request's is stale.
package struct RequestID: Hashable, Sendable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }
}
