import Foundation
import ImageTestSupport
import Raster
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ImageOptionsTests {
    @Test func `each item sets its option and a later one wins`() {
        let options: ImageOptions = [
            .forceRefresh, .onlyFromCache, .cacheMemoryOnly, .cacheOriginalImage, .diskCacheExpiration(.days(1)),
            .downloadPriority(0.1), .downloadPriority(0.9), .requestHeaders([HeaderField(name: "A", value: "b")]),
            .retryStrategy(withNoDelay()), .processor(BlackWhiteProcessor()), .decodeLimits(DecodeLimits(frames: 7)),
        ]
        #expect(options.cache.policy == .reload)
        #expect(options.cache.cacheMemoryOnly && options.cache.cacheOriginalImage)
        #expect(options.cache.diskCacheExpiration == .days(1))
        #expect(options.download.priority == 0.9)
        #expect(options.download.headers == [HeaderField(name: "A", value: "b")])
        #expect(options.download.retryStrategy != nil)
        #expect(options.process.processor.identifier == "bw")
        #expect(options.process.limits.frames == 7)
    }

    @Test func `the display items set their options`() {
        let picture = Pictures.image(Pictures.gradient(PixelSize(width: 2, height: 2)))
        let options: ImageOptions = [
            .transition(.fade(0.3)), .forceTransition, .keepCurrentImageWhileLoading,
            .onFailureImage(picture), .loadDiskFileSynchronously,
        ]
        #expect(options.display.transition.duration == .milliseconds(300))
        #expect(options.display.forceTransition && options.display.keepCurrentImageWhileLoading)
        #expect(options.display.loadDiskFileSynchronously)
        #expect(options.display.onFailureImage == .image(picture))
        #expect(options.applying([.onFailureImage(nil)]).display.onFailureImage == FailureImage.none)
        #expect(ImageOptions().display.onFailureImage == .unset)
    }

    @Test(arguments: [
        (ImageCache.CacheType.none, false, true), (.memory, false, false), (.disk, false, false),
        (.none, true, true), (.memory, true, true), (.disk, true, true),
    ])
    func `a transition runs for a downloaded picture or when forced`(
        from: ImageCache.CacheType, isForced: Bool, runs: Bool
    ) {
        var display = DisplayOptions()
        display.transition = .fade(0.3)
        display.forceTransition = isForced
        #expect(display.transition(from: from).isVisible == runs)
    }

    @Test func `without items the options are the defaults`() {
        let options: ImageOptions = []
        #expect(options.cache.policy == .cacheFirst)
        #expect(options.download.priority == 0.5)
        #expect(options.download.retryStrategy == nil)
        #expect(options.process.processor.identifier.isEmpty)
    }

    @Test func `each transition has a factory with seconds`() {
        let all: [ImageTransition] = [
            .fade(0.3), .flipFromLeft(0.3), .flipFromRight(0.3), .flipFromTop(0.3), .flipFromBottom(0.3), .wipe(0.3),
            .dissolve(0.3),
        ]
        #expect(all.allSatisfy { $0.duration == .milliseconds(300) && $0.isVisible })
        #expect(!ImageTransition.fade(-1).isVisible && !ImageTransition.fade(.nan).isVisible)
    }

    @Test func `errors have their text as localizedDescription`() throws {
        let error: any Error = ImageError.response(.invalidHTTPStatusCode(401, retryAfter: nil))
        #expect(error.localizedDescription == "401 Unauthorized" && "\(error)" == "401 Unauthorized")
        let failure: any Error = SourceFailure(
            source: Source(url: try #require(URL(string: "http://u:pw@h/a.jpg"))),
            error: .cache(.imageNotExisting(key: "k")))
        #expect(failure.localizedDescription == "http://h/a.jpg: not in the cache")
    }
}
