import ImageLoading
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct PrefetchTallyTests {
    private func tally(_ outcomes: [ItemOutcome]) -> PrefetchTally {
        var tally = PrefetchTally()
        for outcome in outcomes { tally.add(outcome) }
        return tally
    }

    @Test func `each item counts once`() {
        let tally = tally([.fetched, .hit, .hit, .duplicate, .lost, .failed(.cancelled)])
        #expect(tally.fetched == 1 && tally.hits == 2 && tally.duplicates == 1)
        #expect(tally.failed == 1 && tally.cancelled == 1 && tally.items == 6)
        #expect(tally.bytesFetched == 100 && tally.bytesFromCache == 60)
    }

    @Test func `failures of the interrupted run do not count for the limit`() {
        #expect(!tally([.failedBefore(code: 2002), .failedBefore(code: 2002)]).passes(.count(1)))
        #expect(tally([.failedBefore(code: 2002), .lost, .lost]).passes(.count(1)))
    }

    @Test func `successful transfers count for a share limit`() {
        let tally = tally(Array(repeating: .lost, count: 11) + Array(repeating: .fetched, count: 90))
        #expect(tally.passes(.share(0.1)))
        #expect(tally.passes(.count(10)))
    }

    @Test func `an omitted field of a line fails only in strict mode`() {
        var tally = tally([.fetched])
        tally.noted = 1
        #expect(tally.exitCode == 0)
        tally.isStrict = true
        #expect(tally.exitCode == 3)
    }

    @Test func `the exit code depends on how many items are usable`() {
        #expect(tally([]).exitCode == 0)
        #expect(tally([.fetched, .hit]).exitCode == 0)
        #expect(tally([.fetched, .lost]).exitCode == 3)
        #expect(tally([.lost, .lost]).exitCode == 4)
        #expect(tally([.lost, .planned]).exitCode == 3)
    }

    @Test func `if only local problems caused failures the exit code is 1`() {
        let faults: [ImageError] = [
            .processor(.environment("PNG needs libvips")), .response(.transport(.environment("no descriptors"))),
            .response(.transport(.proxy("proxy:1", .environment("no memory")))), .cache(.diskUnavailable("no room")),
        ]
        for fault in faults {
            #expect(tally([.fetched, .failed(fault)]).exitCode == 1)
            #expect(tally([.failed(fault)]).exitCode == 1)
            // Beside a fault of a picture they are one failure among others.
            #expect(tally([.failed(fault), .lost, .fetched]).exitCode == 3)
            #expect(tally([.failed(fault), .lost]).exitCode == 4)
        }
    }

    @Test func `items done before are usable, and an unreadable list makes the exit code 3`() {
        #expect(tally([.doneBefore, .failedBefore(code: 2105)]).exitCode == 3)
        var tally = tally([.fetched])
        tally.unreadLists = 1
        #expect(tally.exitCode == 3)
        var empty = PrefetchTally()
        empty.isUnread = true
        #expect(empty.exitCode == 1)
    }

    @Test func `rejected lines matter only without any usable line`() {
        var tally = tally([.fetched])
        tally.rejected = 2
        #expect(tally.exitCode == 0)
        var bad = PrefetchTally()
        bad.rejected = 2
        #expect(bad.exitCode == 4)
        bad.elsewhere = 1
        #expect(bad.exitCode == 0)
    }

    @Test func `only failures of finished items count for the limit`() {
        #expect(!tally([.lost, .planned]).passes(.count(1)))
        #expect(tally([.lost, .lost]).passes(.count(1)))
        #expect(!tally([.lost]).passes(nil))
    }

    @Test func `a cache that is too small or stores nothing changes the exit code`() {
        var outgrown = tally([.fetched])
        outgrown.isOutgrown = true
        #expect(outgrown.exitCode == 3)
        var full = tally([.lost, .fetched])
        full.keepsNothing = true
        #expect(full.exitCode == 1)
    }

    @Test func `a signal overrides failures in the exit code`() {
        var interrupted = tally([.lost])
        interrupted.signal = 2
        #expect(interrupted.exitCode == 130)
    }
}
