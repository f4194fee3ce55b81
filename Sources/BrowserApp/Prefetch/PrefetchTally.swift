import BrowserCore
import ImageLoading

/// How a prefetch went, in numbers; decides the exit code.
public struct PrefetchTally: Sendable, Equatable {
    public internal(set) var fetched = 0
    public internal(set) var hits = 0
    /// Expired ones that still hold.
    public internal(set) var revalidated = 0
    public internal(set) var duplicates = 0
    public internal(set) var skipped = 0
    public internal(set) var failed = 0
    public internal(set) var cancelled = 0
    public internal(set) var retries = 0
    public internal(set) var bytesFetched = 0
    public internal(set) var bytesFromCache = 0
    public internal(set) var milliseconds = 0
    /// The signal that ended the run early.
    public internal(set) var signal: Int32?

    public var items: Int { fetched + hits + revalidated + duplicates + failed + cancelled }

    /// 0 all usable, 3 some failed, 4 all failed, 128 + n after a signal.
    public var exitCode: Int32 {
        if let signal { return 128 + signal }
        guard failed > 0 else { return 0 }
        return fetched + hits + revalidated == 0 ? 4 : 3
    }

    mutating func add(_ outcome: ItemOutcome) {
        switch outcome {
        case .ended(let result) where result.isRevalidated:
            revalidated += 1
            bytesFromCache += result.byteCount
        case .ended(let result) where result.cacheType == .none:
            fetched += 1
            bytesFetched += result.byteCount
        case .ended(let result):
            hits += 1
            bytesFromCache += result.byteCount
        case .duplicate: duplicates += 1
        case .failed(let error) where error.isTaskCancelled: cancelled += 1
        case .failed: failed += 1
        }
    }
}

/// How one item ended.
enum ItemOutcome: Sendable {
    case ended(DataResult)
    case duplicate
    case failed(ImageError)
}

/// One item of a list on its way.
struct ItemRecord: Sendable {
    let id: Int
    /// Where the item stands in its list, from 1; 0 for an argument.
    let line: Int
    /// As the list has it, for a list of failures that can be fed back.
    let location: String
    /// Without credentials and secrets.
    let shown: String
    let name: String
    let host: String
    var attempts = 1
}
