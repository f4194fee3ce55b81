import AlcedoBrowserCore
import AlcedoConfig
import AlcedoScreen
import ImageLoading

/// The counters of a prefetch; they determine the exit code.
package struct PrefetchTally: Sendable, Equatable, Encodable {
    var fetched = 0
    var hits = 0
    /// Cached pictures that their server confirmed.
    var revalidated = 0
    var duplicates = 0
    /// Pictures finished by the interrupted run.
    var doneBefore = 0
    /// Usable pictures that `--keep` does not select.
    var leftOut = 0
    /// Pictures that a dry run would download.
    var planned = 0
    /// Pictures of other shards.
    var elsewhere = 0
    /// Parts left out of usable lines.
    var noted = 0
    /// Lines without a usable picture.
    var rejected = 0
    /// Lists that could not be read completely.
    var unreadLists = 0
    var failed = 0
    var cancelled = 0
    var retries = 0
    /// The bytes of the downloaded pictures and files.
    var bytesFetched = 0
    /// All bytes received for pictures and lists, with those refused, cut off or not stored.
    var bytesReceived = 0
    var bytesFromCache = 0
    var milliseconds = 0
    /// The signal that interrupted the run.
    package internal(set) var signal: Int32?
    /// Whether the run was aborted because of too many failures.
    var failedTooOften = false
    /// Whether the run was aborted because the cache cannot be written.
    var keepsNothing = false
    /// The pictures that were written into the folder.
    var written = 0
    /// Why the folder cannot be written, which ended the run.
    var sinkProblem: String?
    /// Whether the run was aborted because the reader of its output is gone.
    package internal(set) var isOutputClosed = false
    /// Whether the cache is too small, so that the first pictures were evicted.
    var isOutgrown = false
    /// Why the list of failed items is incomplete.
    var failedListProblem: String?
    /// Why there is no report.
    var reportProblem: String?
    /// The number of failures that belong to the interrupted run.
    private var failedBefore = 0
    /// The number of failures of the machine, which say nothing about a picture.
    private var failedHere = 0

    private enum CodingKeys: String, CodingKey {
        case fetched, hits, revalidated, duplicates, planned, elsewhere, noted, rejected, failed, cancelled, retries,
            leftOut
        case unreadLists, bytesFetched, bytesReceived, bytesFromCache
        case doneBefore = "skipped"
        case milliseconds = "ms"
    }

    var items: Int { usable + duplicates + planned + failed + cancelled + leftOut }

    /// The pictures that were downloaded or already cached.
    var usable: Int { fetched + hits + revalidated + doneBefore }

    /// Whether the run ended before the end of the lists.
    var isCutShort: Bool { signal != nil || failedTooOften || keepsNothing || sinkProblem != nil || isOutputClosed }

    /// Whether a list could not be read and there was nothing else.
    var isUnread = false

    /// Whether unusable lines and parts left out count as failures.
    var isStrict = false

    /// 0 all usable, 1 could not run, 3 some failed, 4 nothing usable, 128 + n after a signal.
    package var exitCode: Int32 {
        if let signal { return 128 + signal }
        if keepsNothing || isUnread || isOutputClosed || reportProblem != nil || sinkProblem != nil { return 1 }
        if failed > 0, failed == failedHere { return 1 }
        // Unusable lines are tolerated if there are usable ones; otherwise they are an error.
        let isBadList = rejected + unreadLists > 0 && elsewhere + cancelled == 0
        if usable + planned + leftOut == 0, failed > 0 || isBadList { return 4 }
        return failed > 0 || unreadLists > 0 || isOutgrown || isStrict && rejected + noted > 0 ? 3 : 0
    }

    mutating func add(_ outcome: ItemOutcome) {
        switch outcome {
        case .finished(let result) where result.outcome == .fetched:
            fetched += 1
            bytesFetched = bytesFetched.addingClamped(result.byteCount)
        case .finished(let result):
            if result.outcome == .revalidated { revalidated += 1 } else { hits += 1 }
            bytesFromCache = bytesFromCache.addingClamped(result.byteCount)
        case .duplicate: duplicates += 1
        case .doneBefore: doneBefore += 1
        case .planned: planned += 1
        case .leftOut(let result, _):
            leftOut += 1
            bytesFetched = bytesFetched.addingClamped(result.cacheType == .none ? result.byteCount : 0)
        case .rejected: failed += 1
        case .failed(let error) where error.isTaskCancelled: cancelled += 1
        case .failed(let error):
            failed += 1
            if error.isOfEnvironment { failedHere += 1 }
        case .failedBefore:
            failed += 1
            failedBefore += 1
        }
    }

    /// Returns whether the failures exceed the limit.
    ///
    /// Failures of the interrupted run are not counted; otherwise a resumed run could not get past them.
    func passes(_ limit: FailureLimit?) -> Bool {
        let failed = failed - failedBefore
        return limit?.isPassed(failed: failed, of: failed + usable) == true
    }
}

/// The number of failures after which a prefetch aborts.
package enum FailureLimit: Sendable, Hashable {
    case count(Int)
    /// A share of the finished items, 0…1; applied from the 100th item on.
    case share(Double)

    /// Parses a number or a percentage up to 100 %; returns nil for other text.
    package init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let factor = ShareText.factor(text), factor <= 1 else { return nil }
            self = .share(factor)
        } else {
            guard let count = Int(text), count >= 0 else { return nil }
            self = .count(count)
        }
    }

    /// The number of finished items from which a share is applied.
    static let sample = 100

    /// Returns whether the number of failures exceeds the limit.
    func isPassed(failed: Int, of finished: Int) -> Bool {
        switch self {
        case .count(let count): failed > count
        case .share(let share): finished >= Self.sample && Double(failed) > share * Double(finished)
        }
    }
}

/// Detects that the cache cannot store anything: 20 stores in a row have failed, over at least 6 s if the cause may be
/// temporary, such as a lock.
struct ConsecutiveStoreFailures {
    static let count = 20
    static let time = Duration.seconds(6)

    /// The number of consecutive failures.
    private(set) var length = 0
    private var start: ContinuousClock.Instant?

    /// Resets the count after a successful store.
    mutating func reset() { (length, start) = (0, nil) }

    /// Counts a failed store; returns whether the run should stop.
    ///
    /// - Parameter isTemporary: Whether the cause may be temporary.
    mutating func add(at now: ContinuousClock.Instant, isTemporary: Bool = true) -> Bool {
        length += 1
        let first = start ?? now
        start = first
        return length >= Self.count && (!isTemporary || first.duration(to: now) >= Self.time)
    }
}
