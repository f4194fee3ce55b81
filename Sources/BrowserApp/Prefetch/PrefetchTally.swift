import BrowserCore
import ImageLoading

/// How a prefetch went, in numbers; decides the exit code.
public struct PrefetchTally: Sendable, Equatable {
    public internal(set) var fetched = 0
    public internal(set) var hits = 0
    /// Those that a server was asked about and that still hold.
    public internal(set) var revalidated = 0
    public internal(set) var duplicates = 0
    /// Done before the interruption of the run that this one goes on with.
    public internal(set) var doneBefore = 0
    /// Would be fetched, in a dry run.
    public internal(set) var planned = 0
    /// Of another shard.
    public internal(set) var elsewhere = 0
    /// What was left out of lines whose pictures are fetched.
    public internal(set) var noted = 0
    /// Lines that name no picture.
    public internal(set) var rejected = 0
    /// Lists that could not be read, or not to their end.
    public internal(set) var unreadLists = 0
    public internal(set) var failed = 0
    public internal(set) var cancelled = 0
    public internal(set) var retries = 0
    /// Of the pictures that were fetched, from wherever.
    public internal(set) var bytesFetched = 0
    /// What came over the network of pictures and lists, with what was refused, cut off or not kept.
    public internal(set) var bytesReceived = 0
    public internal(set) var bytesFromCache = 0
    public internal(set) var milliseconds = 0
    /// The signal that ended the run early.
    public internal(set) var signal: Int32?
    /// Whether the run ended early because too many failed.
    public internal(set) var failedTooOften = false
    /// Whether it ended early because the cache took nothing.
    public internal(set) var keepsNothing = false
    /// Whether it ended early because whoever read what it tells went away.
    public internal(set) var isUnheard = false
    /// Whether more came than the cache holds, so that the first of it has gone again.
    public internal(set) var isOutgrown = false
    /// Why the list of the failed ones is not whole.
    public internal(set) var failedListProblem: String?
    /// Of the failed ones, those that failed in the run that this one goes on with.
    private var failedBefore = 0

    public var items: Int { usable + duplicates + planned + failed + cancelled }

    /// Those that came, or were there.
    public var usable: Int { fetched + hits + revalidated + doneBefore }

    /// Whether it ended before the end of the lists.
    var isCutShort: Bool { signal != nil || failedTooOften || keepsNothing || isUnheard }

    /// Whether a list that was named could not be read, and there was nothing else.
    var isUnread = false

    /// Whether a line that names no picture, or of which something was left out, is a failure.
    var isStrict = false

    /// 0 all usable, 1 it could not run, 3 some failed, 4 nothing usable, 128 + n after a signal.
    public var exitCode: Int32 {
        if let signal { return 128 + signal }
        if keepsNothing || isUnread || isUnheard { return 1 }
        // Bad lines are borne among good ones; where there was nothing else, somebody must hear of it.
        let isBadList = rejected + unreadLists > 0 && elsewhere + cancelled == 0
        if usable + planned == 0, failed > 0 || isBadList { return 4 }
        return failed > 0 || unreadLists > 0 || isOutgrown || isStrict && rejected + noted > 0 ? 3 : 0
    }

    mutating func add(_ outcome: ItemOutcome) {
        switch outcome {
        case .ended(let result) where result.outcome == .fetched:
            fetched += 1
            bytesFetched += result.byteCount
        case .ended(let result):
            if result.outcome == .revalidated { revalidated += 1 } else { hits += 1 }
            bytesFromCache += result.byteCount
        case .duplicate: duplicates += 1
        case .doneBefore: doneBefore += 1
        case .planned: planned += 1
        case .failed(let error) where error.isTaskCancelled: cancelled += 1
        case .failed: failed += 1
        case .failedBefore:
            failed += 1
            failedBefore += 1
        }
    }

    /// Whether more have failed than is borne; `returning` are most likely usable, though nobody has looked yet.
    ///
    /// What failed in an earlier run does not count again, or nobody would get past it.
    func passes(_ limit: FailureLimit?, returning: Int = 0) -> Bool {
        let failed = failed - failedBefore
        return limit?.isPassed(failed: failed, of: failed + usable + returning) == true
    }
}
