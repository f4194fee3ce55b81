/// Everything that can happen while a list is prefetched, for the progress lines on a terminal.
package enum PrefetchScreenMessage: Sendable, Equatable {
    /// Items known so far; `isFinal` when the list was read to its end.
    case listGrew(items: Int, isFinal: Bool)
    /// A transfer began, went on, or is over; `line` names the item.
    case transfer(line: Int, name: String, host: String, received: Int, total: Int?)
    case finished(line: Int, outcome: PrefetchOutcome, bytes: Int)
    /// `line` is where it stands in its list, 0 for one that stands in none; `kind` is what failures like it have in
    /// common.
    case failed(item: Int, line: Int, location: String, reason: String, kind: String)
    /// It waits for its next attempt, until it goes on.
    case retried(line: Int)
    /// It waits for its host, which pauses or keeps failing, until it goes on.
    case waiting(line: Int)
    /// It waits no more.
    case resumed(line: Int)
    /// What is to be known of a host; nil when there is nothing any more.
    case hostNotice(host: String, text: String?)
    /// It was given up, and is no more done than before.
    case cancelled(line: Int)
    /// `received` is how many bytes have come over the network in all.
    case tick(milliseconds: Int, received: Int)
}

/// How an item ended well.
package enum PrefetchOutcome: String, Hashable, Sendable, CaseIterable {
    case hit, fetched, revalidated, duplicate, skipped, planned
}
