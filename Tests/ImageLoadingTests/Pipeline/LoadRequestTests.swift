import Foundation
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct LoadRequestTests {
    @Test(arguments: [
        (Duration.zero, 0), (.milliseconds(1_500), 1_500), (.microseconds(1_999), 1), (.seconds(-2), -2_000),
        (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ])
    func `a duration is converted to whole milliseconds and clamped`(duration: Duration, milliseconds: Int) {
        #expect(duration.milliseconds == milliseconds)
    }

    @Test func `requests that must not be shared have different keys`() throws {
        let source = Source.network(try #require(URL(string: "http://h/a")))
        let (cache, other) = (ImageCache(disk: nil), ImageCache(disk: nil))
        func key(_ options: ImageOptions) -> LoadKey {
            LoadRequest(source: source, options: options, cache: cache).loadKey
        }
        let keys = [
            key([]), key([.forceRefresh]), key([.onlyFromCache]), key([.fromMemoryCacheOrRefresh]),
            key([.targetCache(other)]), key([.processor(BlackWhiteProcessor())]),
            key([.processor(BlackWhiteProcessor()), .cacheOriginalImage]),
            key([.processor(BlackWhiteProcessor()), .cacheMemoryOnly]),
            key([.decodeLimits(DecodeLimits(frames: 1))]), key([.waitForCache]),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(key([.downloadPriority(1)]) == key([]))
    }
}
