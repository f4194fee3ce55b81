import Retrying
import Testing

@testable import ImageLoading

struct ImageOptionsTests {
    @Test func eachItemSetsWhatItSaysAndALaterOneWins() {
        let options: ImageOptions = [
            .forceRefresh, .onlyFromCache, .cacheMemoryOnly, .cacheOriginalImage, .diskCacheExpiration(.days(1)),
            .downloadPriority(0.1), .downloadPriority(0.9), .requestHeaders([HeaderField(name: "A", value: "b")]),
            .retryStrategy(withNoDelay()), .processor(BlackWhiteProcessor()), .decodeLimits(DecodeLimits(side: 7)),
        ]
        #expect(options.cache.forceRefresh && options.cache.onlyFromCache)
        #expect(options.cache.cacheMemoryOnly && options.cache.cacheOriginalImage)
        #expect(options.cache.diskCacheExpiration == .days(1))
        #expect(options.download.priority == 0.9)
        #expect(options.download.headers == [HeaderField(name: "A", value: "b")])
        #expect(options.download.retryStrategy != nil)
        #expect(options.process.processor.identifier == "bw")
        #expect(options.process.limits.side == 7)
    }

    @Test func withoutItemsNothingIsSpecial() {
        let options: ImageOptions = []
        #expect(!options.cache.forceRefresh && !options.cache.onlyFromCache)
        #expect(options.download.priority == 0.5)
        #expect(options.download.retryStrategy == nil)
        #expect(options.process.processor.identifier.isEmpty)
    }
}
