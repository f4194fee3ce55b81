import AlcedoSupport
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

/// What the memory tier tells of entries that leave it.
@Suite(.timeLimit(.minutes(1))) struct CacheEvictionTests {
    private let clock = ManualTime()

    private func cache(cost: Int = 1_000, count: Int = 0) -> ImageCache {
        ImageCache(
            memory: MemoryStorage(
                configuration: .init(
                    totalCostLimit: cost, countLimit: count, entryShare: 1, cleanInterval: .seconds(600)),
                now: clock.read),
            disk: nil)
    }

    private let image = Pictures.image(Pictures.gradient(.init(width: 1, height: 1)))

    private func store(_ key: String, in cache: ImageCache, cost: Int = 1) {
        cache.memory.store(image, forKey: key, cost: cost)
    }

    /// What a cache tells while something is done; ended by a mark.
    private func heard(
        _ cache: ImageCache, bufferLimit: Int = 1024, _ action: () -> Void
    ) async -> [CacheEviction] {
        let evictions = cache.evictions(bufferLimit: bufferLimit)
        action()
        cache.memory.evictions.send(CacheEviction(tier: .memory, key: "mark", reason: .cleared))
        var heard: [CacheEviction] = []
        for await eviction in evictions {
            if eviction.key == "mark" { break }
            heard.append(eviction)
        }
        return heard
    }

    @Test func `each removal from memory is reported with its reason`() async {
        let cache = cache(cost: 100)
        let heard = await heard(cache) {
            store("a", in: cache, cost: 60)
            store("b", in: cache, cost: 60)
            store("b", in: cache, cost: 10)
            cache.memory.removeValue(forKey: "b")
            cache.memory.removeValue(forKey: "b")
            store("c", in: cache)
            clock.advance(by: .seconds(300))
            _ = cache.memory.value(forKey: "c")
            store("d", in: cache)
            cache.clearMemoryCache()
            cache.clearMemoryCache()
        }
        #expect(heard.map(\.key) == ["a", "b", "b", "c", nil])
        #expect(heard.map(\.reason) == [.costLimit, .replaced, .removed, .expired, .cleared])
        #expect(heard.allSatisfy { $0.tier == .memory })
    }

    @Test func `an eviction over the count limit has its own reason`() async {
        let cache = cache(count: 1)
        let heard = await heard(cache) { for key in ["a", "b"] { store(key, in: cache) } }
        #expect(heard == [CacheEviction(tier: .memory, key: "a", reason: .countLimit)])
    }

    @Test func `a clean and an expired interval report the expired entries`() async {
        let cache = cache()
        let heard = await heard(cache) {
            store("a", in: cache)
            clock.advance(by: .seconds(300))
            #expect(cache.memory.removeExpired() == 1)
            store("b", in: cache)
            clock.advance(by: .seconds(600))
            _ = cache.memory.value(forKey: "other")
        }
        #expect(heard.map(\.key) == ["a", "b"])
        #expect(heard.allSatisfy { $0.reason == .expired })
    }

    @Test func `the event of a processed picture contains source and processor`() async {
        let cache = cache()
        let heard = await heard(cache) {
            store(ImageCache.memoryKey("a", "bw |> blur(2)"), in: cache)
            cache.memory.removeValues { _ in true }
        }
        #expect(heard == [.init(tier: .memory, key: "a", processorIdentifier: "bw |> blur(2)", reason: .removed)])
    }

    @Test func `every listener receives all events`() async {
        let cache = cache()
        let other = cache.evictions()
        store("a", in: cache)
        let heard = await heard(cache) { cache.memory.removeValue(forKey: "a") }
        var iterator = other.makeAsyncIterator()
        #expect(heard.count == 1)
        #expect(await iterator.next() == heard.first)
    }

    @Test func `a slow listener receives only the newest events`() async {
        let cache = cache()
        let heard = await heard(cache, bufferLimit: 3) {
            for number in 0..<100 {
                store("\(number)", in: cache)
                cache.memory.removeValue(forKey: "\(number)")
            }
        }
        #expect(heard.map(\.key) == ["98", "99"])
    }

    @Test func `a listener that ends is removed`() async {
        let cache = cache()
        var evictions: AsyncStream<CacheEviction>? = cache.evictions()
        #expect(!cache.memory.evictions.isEmpty)
        let task = Task { [evictions] in
            if let evictions { for await _ in evictions {} }
        }
        evictions = nil
        task.cancel()
        await task.value
        #expect(cache.memory.evictions.isEmpty)
    }

    @Test func `the stream ends with the cache`() async {
        var cache: ImageCache? = cache()
        let evictions = cache?.evictions()
        cache = nil
        var count = 0
        if let evictions { for await _ in evictions { count += 1 } }
        #expect(count == 0)
    }
}
