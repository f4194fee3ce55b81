import Synchronization
import Testing

@testable import ImageLoading

struct MemoryStorageTests {
    private let clock = ManualTime()

    private func storage(limit: Int = 100, share: Double = 0.5, life: Duration? = .seconds(300)) -> MemoryStorage<Int> {
        MemoryStorage(
            configuration: .init(totalCostLimit: limit, entryShare: share, expiration: life), now: clock.read)
    }

    @Test func theLeastRecentlyUsedEntriesGoWhenTheCostLimitIsPassed() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 40)
        storage.store(2, forKey: "b", cost: 40)
        #expect(storage.value(forKey: "a") == 1)
        storage.store(3, forKey: "c", cost: 40)
        #expect(storage.value(forKey: "b") == nil)
        #expect(storage.value(forKey: "a") == 1)
        #expect(storage.totalCost == 80)
    }

    @Test func anEntryOverItsShareOfTheLimitIsNotKeptAndNothingElseGoesForIt() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 50)
        #expect(!storage.store(2, forKey: "b", cost: 51))
        #expect(storage.value(forKey: "a") == 1)
        #expect(storage.value(forKey: "b") == nil)
    }

    @Test func aValueTooLargeToKeepDoesNotLeaveTheOldOneInItsPlace() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        #expect(!storage.store(2, forKey: "a", cost: 51))
        #expect(storage.value(forKey: "a") == nil)
    }

    @Test func aLimitOf0KeepsNothing() {
        let storage = storage(limit: 0)
        #expect(!storage.store(1, forKey: "a", cost: 1))
        #expect(storage.count == 0)
    }

    @Test func anEntryThatNobodyReadsExpires() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(299))
        #expect(storage.isCached(forKey: "a"))
        clock.advance(by: .seconds(1))
        #expect(!storage.isCached(forKey: "a"))
        #expect(storage.value(forKey: "a") == nil)
    }

    @Test func readingGivesAnEntryItsLifeAnew() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(200))
        #expect(storage.value(forKey: "a") == 1)
        clock.advance(by: .seconds(200))
        #expect(storage.value(forKey: "a") == 1)
    }

    @Test func withoutAnExpirationAnEntryStays() {
        let storage = storage(life: nil)
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(1_000_000))
        #expect(storage.value(forKey: "a") == 1)
    }

    @Test func expiredEntriesCanBeLetGoTogether() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(100))
        storage.store(2, forKey: "b", cost: 1)
        clock.advance(by: .seconds(200))
        storage.removeExpired()
        #expect(storage.count == 1)
        #expect(storage.value(forKey: "b") == 2)
    }

    @Test func removingTakesTheEntryAndItsCost() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 7)
        storage.store(2, forKey: "b", cost: 5)
        storage.removeValue(forKey: "a")
        #expect(storage.totalCost == 5)
        storage.removeAll()
        #expect(storage.totalCost == 0)
        #expect(storage.value(forKey: "b") == nil)
    }
}

/// Time since nothing in particular, moved by hand.
final class ManualTime: Sendable {
    private let time = Mutex(Duration.zero)

    @Sendable func read() -> Duration { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
