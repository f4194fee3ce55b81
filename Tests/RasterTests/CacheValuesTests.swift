import TestSupport
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(1))) struct CacheValuesTests {
    @Test func `a revalidated entry is a look-up of its own, and no miss`() {
        var tally = CacheTally()
        (tally.memoryHits, tally.diskHits, tally.misses, tally.revalidated) = (5, 3, 2, 1)
        #expect(tally.hits == 8 && tally.missed == 1 && tally.lookups == 10)
    }

    @Test func `counters of a damaged index give no negative number`() {
        var tally = CacheTally()
        (tally.misses, tally.revalidated) = (1, 7)
        #expect(tally.missed == 0)
    }
}
