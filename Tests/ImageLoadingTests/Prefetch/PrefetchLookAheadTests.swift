import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct PrefetchLookAheadTests {
    private var lookAhead = PrefetchLookAhead()

    @Test mutating func `items are looked up in order of arrival, in batches`() {
        for id in (0..<100).reversed() { lookAhead.add(id) }
        lookAhead.add(99)
        let taken = (1...3).map { _ in lookAhead.nextBatch() }
        #expect(taken == [Array((36..<100).reversed()), Array((0..<36).reversed()), []])
        #expect(lookAhead.count == 100)
    }

    @Test mutating func `a removed item is not looked up, and is removed once`() {
        for id in 1...3 { lookAhead.add(id) }
        let settled = [2, 2, 9].map { lookAhead.remove($0) }
        #expect(settled == [true, false, false])
        let (taken, left) = (lookAhead.nextBatch(), lookAhead.removeAll())
        #expect(taken == [1, 3] && left == [1, 3])
        #expect(lookAhead.count == 0)
    }

    @Test mutating func `an item added again during its look-up can be removed once`() {
        // Given an item that is taken back while it is looked for, and comes again
        lookAhead.add(1)
        _ = lookAhead.nextBatch()
        _ = lookAhead.remove(1)
        lookAhead.add(1)
        // When the first look ends
        let isSettled = lookAhead.remove(1)
        // Then there is nothing to look for any more
        let taken = lookAhead.nextBatch()
        #expect(isSettled && taken.isEmpty)
    }
}
