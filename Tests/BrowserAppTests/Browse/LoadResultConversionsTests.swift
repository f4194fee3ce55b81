import AlcedoBrowserCore
import Foundation
import Raster
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct LoadResultConversionsTests {
    @Test(arguments: [
        ImageError.response(.notAnImage("HTML")), .response(.invalidHTTPStatusCode(404, retryAfter: nil)),
        .response(.timedOut(.idle)), .response(.truncated(received: 3, expected: 9)),
        .processor(.limitExceeded("20000×20000 pixels")), .cache(.imageNotExisting(key: "k")),
    ])
    func `every error has a title, a detail sentence and the number of attempts`(error: ImageError) throws {
        let web = Source(url: try #require(URL(string: "https://host/a.jpg")))
        let facts = FailureFacts(error, of: web, attempts: 2)
        #expect(facts.title == error.title)
        #expect(facts.detail.hasSuffix("."))
        #expect(facts.attempts == 2)
    }

    @Test func `a failure of a local file does not mention a server`() {
        let facts = FailureFacts(.response(.notAnImage("text")), of: Source(url: URL(filePath: "/a")), attempts: 1)
        #expect(!facts.detail.contains("server"))
    }

    @Test func `the origin of a picture is memory, disk, network, file or expired`() throws {
        let web = Source(url: try #require(URL(string: "https://host/a.jpg")))
        let file = Source(url: URL(filePath: "/a.jpg"))
        #expect(PictureOrigin(.memory, source: web) == .memory)
        #expect(PictureOrigin(.disk, source: web) == .disk)
        #expect(PictureOrigin(.none, source: web) == .network)
        #expect(PictureOrigin(.none, source: file) == .file)
        let dot = PixelSize(width: 1, height: 1)
        let pixels = PixelBuffer(size: dot, filledWith: .white)
        let image = Image(pixels: pixels, originalSize: dot, format: .png, frameCount: 1, byteCount: 0)
        var result = ImageResult(image: image, cacheType: .disk, metrics: nil)
        #expect(PictureOrigin(result, source: web) == .disk)
        result.expiredBecause = .response(.transport(.refused))
        #expect(PictureOrigin(result, source: web) == .expired)
    }
}
