import AlcedoConfig
import Foundation
import ImageLoading
import Testing

@Suite(.timeLimit(.minutes(1))) struct SourceReferenceTests {
    @Test(arguments: ["http://host/a.jpg", "https://host/a.jpg", "HTTPS://HOST/a.jpg"])
    func `web addresses have a URL source`(location: String) throws {
        let source = try #require(SourceReference.source(for: location))
        #expect(source.url?.absoluteString == location)
    }

    @Test(arguments: [
        "http://host/a.jpg", "http://HOST:80/a.jpg#part", "http://host/b/../a.jpg", "http://host/%61.jpg",
    ])
    func `addresses that lists treat as duplicates have the same cache key`(location: String) throws {
        #expect(try #require(SourceReference.source(for: location)).cacheKey == "http://host/a.jpg")
        #expect(try #require(SourceReference.source(for: location, key: "k")).cacheKey == "k")
    }

    @Test(arguments: ["/pictures/a.jpg", "file:///pictures/a.jpg", "data:image/gif;base64,R0lGODlh", "a b.png"])
    func `files and data URLs are read locally`(location: String) throws {
        let source = try #require(SourceReference.source(for: location))
        #expect(source.url == nil)
    }

    @Test(arguments: ["ftp://host/a.jpg", "javascript://host/a", "gopher://host"])
    func `other schemes are refused`(location: String) {
        #expect(SourceReference.source(for: location) == nil)
    }
}
