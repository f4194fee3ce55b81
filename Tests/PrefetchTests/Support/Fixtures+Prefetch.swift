import AlcedoLists
import ImageLoading
import ProgramTestSupport

@testable import AlcedoPrefetch

extension Fixtures {
    /// Of a run that has gone on for so long.
    static func tally(after milliseconds: Int) -> PrefetchTally {
        var tally = PrefetchTally()
        tally.milliseconds = milliseconds
        return tally
    }

    /// An item as a list names it, with a secret in its address.
    static func item(_ id: Int = 0, line: Int = 7, attempts: Int = 1) -> ItemRecord {
        let entry = ListEntry(line: line, location: "https://host/\(id).png?token=hush")
        var item = ItemRecord(id: id, entry: entry, list: "list.txt")
        item.attempts = attempts
        return item
    }
}

extension ItemOutcome {
    static let fetched = ItemOutcome.finished(DataResult(cacheType: .none, byteCount: 100, metrics: nil))
    static let hit = ItemOutcome.finished(DataResult(cacheType: .disk, byteCount: 30, metrics: nil))
    static let lost = ItemOutcome.failed(.response(.invalidHTTPStatusCode(404, retryAfter: nil)))
}
