import BrowserCore
import Foundation
import ImageLoading
import Testing

@testable import BrowserApp

@Suite struct LoadingFactsTests {
    @Test(arguments: [
        ImageError.response(.notAnImage("HTML")), .response(.invalidHTTPStatusCode(404, retryAfter: nil)),
        .response(.timedOut(.idle)), .response(.truncated(received: 3, expected: 9)),
        .processor(.limitExceeded("20000×20000 pixels")), .cache(.imageNotExisting(key: "k")),
    ])
    func aFailureSaysWhatAndWhy(error: ImageError) throws {
        let web = Source(url: try #require(URL(string: "https://host/a.jpg")))
        let facts = FailureFacts(error, of: web, attempts: 2)
        #expect(facts.title == error.title)
        #expect(facts.detail.hasSuffix("."))
        #expect(facts.attempts == 2)
    }

    @Test func aFileIsNoServer() {
        let facts = FailureFacts(.response(.notAnImage("text")), of: Source(url: URL(filePath: "/a")), attempts: 1)
        #expect(!facts.detail.contains("server"))
    }

    @Test func aPictureSaysWhereItCameFrom() throws {
        let web = Source(url: try #require(URL(string: "https://host/a.jpg")))
        let file = Source(url: URL(filePath: "/a.jpg"))
        #expect(PictureOrigin(.memory, source: web) == .memory)
        #expect(PictureOrigin(.disk, source: web) == .disk)
        #expect(PictureOrigin(.none, source: web) == .network)
        #expect(PictureOrigin(.none, source: file) == .file)
    }
}
