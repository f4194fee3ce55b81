import TestSupport
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(1))) struct CacheValuesTests {
    @Test func `a revalidation counts as a look-up, not as a miss`() {
        var tally = CacheTally()
        (tally.memoryHits, tally.diskHits, tally.misses, tally.revalidated) = (5, 3, 2, 1)
        #expect(tally.hits == 8 && tally.missed == 1 && tally.lookups == 10)
    }

    @Test func `counters of a damaged index are never negative`() {
        var tally = CacheTally()
        (tally.misses, tally.revalidated) = (1, 7)
        #expect(tally.missed == 0)
    }
}
