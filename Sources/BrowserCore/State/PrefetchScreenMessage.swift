/// An event of a running prefetch, for the progress lines on a terminal.
package enum PrefetchScreenMessage: Sendable, Equatable {
    /// The number of items known so far; `isFinal` if the list was read to its end.
    case listGrew(items: Int, isFinal: Bool)
    /// A transfer began or progressed; `line` identifies the item.
    case transfer(line: Int, name: String, host: String, received: Int, total: Int?)
    case finished(line: Int, outcome: PrefetchOutcome, bytes: Int)
    /// An item failed. `line` is its line in the list, 0 if it has none; `kind` groups similar failures.
    case failed(item: Int, line: Int, location: String, reason: String, kind: String)
    /// The item waits for its next attempt.
    case retried(line: Int)
    /// The item waits for its host, which is paused or failing.
    case waiting(line: Int)
    /// The item no longer waits.
    case resumed(line: Int)
    /// The status of a host; nil if there is no trouble any more.
    case hostNotice(host: String, text: String?)
    /// The transfer was cancelled; the item is not finished.
    case cancelled(line: Int)
    /// `received` is the total number of bytes received over the network.
    case tick(milliseconds: Int, received: Int)
}

/// The outcome of an item that did not fail.
package enum PrefetchOutcome: String, Hashable, Sendable, CaseIterable {
    case hit, fetched, revalidated, duplicate, skipped, planned
}
