import ImageLoading
import Testing

@testable import BrowserApp

@Suite struct PrefetchTallyTests {
    private let fetched = ItemOutcome.ended(DataResult(cacheType: .none, byteCount: 100, metrics: nil))
    private let hit = ItemOutcome.ended(DataResult(cacheType: .disk, byteCount: 30, metrics: nil))
    private let failed = ItemOutcome.failed(.response(.invalidHTTPStatusCode(404, retryAfter: nil)))

    private func tally(_ outcomes: [ItemOutcome]) -> PrefetchTally {
        var tally = PrefetchTally()
        for outcome in outcomes { tally.add(outcome) }
        return tally
    }

    @Test func eachItemCountsOnce() {
        let tally = tally([fetched, hit, hit, .duplicate, failed, .failed(.cancelled)])
        #expect(tally.fetched == 1 && tally.hits == 2 && tally.duplicates == 1)
        #expect(tally.failed == 1 && tally.cancelled == 1 && tally.items == 6)
        #expect(tally.bytesFetched == 100 && tally.bytesFromCache == 60)
    }

    @Test func theExitCodeSaysHowMuchIsUsable() {
        #expect(tally([]).exitCode == 0)
        #expect(tally([fetched, hit]).exitCode == 0)
        #expect(tally([fetched, failed]).exitCode == 3)
        #expect(tally([failed, failed]).exitCode == 4)
    }

    @Test func aSignalOutranksFailures() {
        var interrupted = tally([failed])
        interrupted.signal = 2
        #expect(interrupted.exitCode == 130)
    }
}
