import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct PrefetchLookAheadTests {
    private var lookAhead = PrefetchLookAhead()

    @Test mutating func `items are looked for in the order they came, so many at a time`() {
        for id in (0..<100).reversed() { lookAhead.add(id) }
        lookAhead.add(99)
        let taken = (1...3).map { _ in lookAhead.take() }
        #expect(taken == [Array((36..<100).reversed()), Array((0..<36).reversed()), []])
        #expect(lookAhead.count == 100)
    }

    @Test mutating func `what is settled is not looked for and settled once`() {
        for id in 1...3 { lookAhead.add(id) }
        let settled = [2, 2, 9].map { lookAhead.settle($0) }
        #expect(settled == [true, false, false])
        let (taken, left) = (lookAhead.take(), lookAhead.settleAll())
        #expect(taken == [1, 3] && left == [1, 3])
        #expect(lookAhead.count == 0)
    }

    @Test mutating func `an item that comes again while it is looked for is settled once`() {
        // Given an item that is taken back while it is looked for, and comes again
        lookAhead.add(1)
        _ = lookAhead.take()
        _ = lookAhead.settle(1)
        lookAhead.add(1)
        // When the first look ends
        let isSettled = lookAhead.settle(1)
        // Then there is nothing to look for any more
        let taken = lookAhead.take()
        #expect(isSettled && taken.isEmpty)
    }

    @Test mutating func `a missing source is reported for one item, then for a second`() {
        lookAhead.noteMissing(1, "a", at: .seconds(10))
        lookAhead.noteMissing(2, "a", at: .seconds(10))
        lookAhead.noteMissing(3, "b", at: .seconds(10))
        #expect(lookAhead.isMissing(1, at: .seconds(11)) && lookAhead.isMissing(3, at: .seconds(10)))
        #expect(!lookAhead.isMissing(2, at: .seconds(10)) && !lookAhead.isMissing(9, at: .seconds(10)))
        #expect(!lookAhead.isMissing(1, at: .seconds(11.001)))
    }

    @Test mutating func `nothing is known about a finished item`() {
        lookAhead.noteMissing(1, "a", at: .zero)
        lookAhead.forget(1)
        #expect(!lookAhead.isMissing(1, at: .zero))
        // And another of its source may be missing again
        lookAhead.noteMissing(2, "a", at: .zero)
        #expect(lookAhead.isMissing(2, at: .zero))
    }

    @Test mutating func `what is stored while a look runs is not missing in it`() {
        // Given a look for two items
        for id in 1...2 { lookAhead.add(id) }
        _ = lookAhead.take()
        // When what one of them wants is stored meanwhile
        lookAhead.noteEnd(of: "a")
        lookAhead.noteMissing(1, "a", at: .zero)
        lookAhead.noteMissing(2, "b", at: .zero)
        // Then that one is looked for again in its turn
        #expect(!lookAhead.isMissing(1, at: .zero) && lookAhead.isMissing(2, at: .zero))
        // And the next look has seen it, should it be gone again
        lookAhead.add(3)
        _ = lookAhead.take()
        lookAhead.noteMissing(3, "a", at: .zero)
        #expect(lookAhead.isMissing(3, at: .zero))
    }
}
