import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct MemoryStorageTests {
    private let clock = ManualTime()

    private func storage(
        limit: Int = 100, count: Int = 0, share: Double = 0.5, life: Duration? = .seconds(300)
    ) -> MemoryStorage<Int> {
        MemoryStorage(
            configuration: .init(
                totalCostLimit: limit, countLimit: count, entryShare: share,
                expiration: life.map { .seconds($0 / .seconds(1)) } ?? .never),
            now: clock.read)
    }

    @Test func `the least recently used entries are evicted over the cost limit`() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 40)
        storage.store(2, forKey: "b", cost: 40)
        #expect(storage.value(forKey: "a") == 1)
        storage.store(3, forKey: "c", cost: 40)
        #expect(storage.value(forKey: "b") == nil)
        #expect(storage.value(forKey: "a") == 1)
        #expect(storage.totalCost == 80)
    }

    @Test func `an entry above its share of the limit is refused without eviction`() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 50)
        #expect(!storage.store(2, forKey: "b", cost: 51))
        #expect(storage.value(forKey: "a") == 1)
        #expect(storage.value(forKey: "b") == nil)
    }

    @Test func `a value too large to store removes the old one`() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        #expect(!storage.store(2, forKey: "a", cost: 51))
        #expect(storage.value(forKey: "a") == nil)
    }

    @Test func `new limits apply at once`() {
        let storage = storage()
        for key in ["a", "b", "c", "d"] { storage.store(1, forKey: key, cost: 20) }
        storage.configuration.totalCostLimit = 40
        #expect(storage.count == 2 && storage.isCached(forKey: "d"))
        storage.configuration.countLimit = 1
        #expect(storage.count == 1 && storage.totalCostLimit == 40)
        storage.configuration.expiration = .seconds(5)
        storage.store(1, forKey: "e", cost: 1)
        clock.advance(by: .seconds(5))
        #expect(!storage.isCached(forKey: "e"))
    }

    @Test func `expired entries are removed after a clean interval without a use`() async {
        let (gate, rests) = (Gate(), Recorder<Duration>())
        let storage = MemoryStorage<Int>(
            now: clock.read,
            rest: { interval in
                rests.add(interval)
                await gate.pass()
            })
        storage.store(1, forKey: "a", cost: 1, expiration: .seconds(10))
        await gate.untilArrived()
        clock.advance(by: .seconds(11))
        #expect(storage.count == 1)
        await gate.open()
        await until { storage.count == 0 }
        #expect(rests.all == [.seconds(120)])
    }

    @Test func `a cost limit of 0 stores nothing`() {
        let storage = storage(limit: 0)
        #expect(!storage.store(1, forKey: "a", cost: 1))
        #expect(storage.count == 0)
    }

    @Test func `an unread entry expires`() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(299))
        #expect(storage.isCached(forKey: "a"))
        clock.advance(by: .seconds(1))
        #expect(!storage.isCached(forKey: "a"))
        #expect(storage.value(forKey: "a") == nil)
    }

    @Test func `reading restarts the life of an entry`() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(200))
        #expect(storage.value(forKey: "a") == 1)
        clock.advance(by: .seconds(200))
        #expect(storage.value(forKey: "a") == 1)
    }

    @Test func `reading does not extend a life that ends at a date`() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1, expiration: .date(Date(timeIntervalSinceNow: 100)))
        clock.advance(by: .seconds(90))
        #expect(storage.value(forKey: "a") == 1)
        clock.advance(by: .seconds(10))
        #expect(storage.value(forKey: "a") == nil)
    }

    @Test func `without an expiration an entry never expires`() {
        let storage = storage(life: nil)
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(1_000_000))
        #expect(storage.value(forKey: "a") == 1)
    }

    @Test func `removeExpired removes all expired entries`() {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(100))
        storage.store(2, forKey: "b", cost: 1)
        clock.advance(by: .seconds(200))
        storage.removeExpired()
        #expect(storage.count == 1)
        #expect(storage.value(forKey: "b") == 2)
    }

    @Test func `the least recently used entry is evicted over the count limit`() {
        let storage = storage(count: 2)
        for (value, key) in ["a", "b"].enumerated() { storage.store(value, forKey: key, cost: 0) }
        #expect(storage.value(forKey: "a") == 0)
        storage.store(2, forKey: "c", cost: 0)
        #expect(storage.count == 2)
        #expect(storage.value(forKey: "b") == nil)
        #expect(storage.value(forKey: "a") == 0)
    }

    @Test func `without a count limit the number of entries is unlimited`() {
        let storage = storage()
        for number in 0..<10_000 { storage.store(number, forKey: "\(number)", cost: 0) }
        #expect(storage.count == 10_000)
    }

    @Test func `expired entries are removed with the first use after the clean interval`() {
        let storage = storage(life: .seconds(10))
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(119))
        _ = storage.value(forKey: "other")
        #expect(storage.count == 1)
        clock.advance(by: .seconds(1))
        _ = storage.value(forKey: "other")
        #expect(storage.count == 0)
        storage.store(1, forKey: "a", cost: 1)
        clock.advance(by: .seconds(119))
        storage.store(2, forKey: "b", cost: 1)
        #expect(storage.count == 2)
        clock.advance(by: .seconds(1))
        storage.store(3, forKey: "c", cost: 1)
        #expect(storage.count == 2)
    }

    @Test func `a clean keeps entries that have not expired`() {
        let storage = storage(life: .seconds(200))
        storage.store(1, forKey: "a", cost: 1)
        storage.store(2, forKey: "b", cost: 1)
        clock.advance(by: .seconds(150))
        #expect(storage.value(forKey: "a") == 1)
        clock.advance(by: .seconds(149))
        #expect(storage.value(forKey: "a") == 1)
        #expect(storage.count == 1)
    }

    @Test(arguments: [
        StorageExpiration.seconds(1e300), .seconds(-1e300), .seconds(.nan), .seconds(.infinity), .days(.max),
        .days(.min), .date(.distantFuture), .date(.distantPast), .never,
    ])
    func `an extreme expiration does not trap`(expiration: StorageExpiration) {
        let storage = storage()
        storage.store(1, forKey: "a", cost: 1, expiration: expiration)
        storage.store(2, forKey: "b", cost: 1)
        _ = storage.value(forKey: "a", extending: .expirationTime(expiration))
        #expect(storage.value(forKey: "b", extending: .expirationTime(expiration)) == 2)
    }

    @Test func `the default limits are the specified ones`() {
        let configuration = MemoryStorage<Int>.Configuration()
        #expect(configuration.totalCostLimit == SystemMemory.standardCostLimit)
        #expect(configuration.countLimit == 0 && configuration.entryShare == 0.1)
        #expect(configuration.expiration == .seconds(300) && configuration.cleanInterval == .seconds(120))
    }

    @Test func `removing an entry subtracts its cost`() {
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
