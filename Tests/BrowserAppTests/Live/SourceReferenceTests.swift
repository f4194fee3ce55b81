import BrowserApp
import Foundation
import ImageLoading
import Testing

@Suite struct SourceReferenceTests {
    @Test(arguments: ["http://host/a.jpg", "https://host/a.jpg", "HTTPS://HOST/a.jpg"])
    func webAddressesAreFetched(location: String) throws {
        let source = try #require(SourceReference.source(for: location))
        #expect(source.url?.absoluteString == location)
    }

    @Test(arguments: [
        "http://host/a.jpg", "http://HOST:80/a.jpg#part", "http://host/b/../a.jpg", "http://host/%61.jpg",
    ])
    func whatListsHaveAsDuplicatesIsOnePictureOfTheCache(location: String) throws {
        #expect(try #require(SourceReference.source(for: location)).cacheKey == "http://host/a.jpg")
        #expect(try #require(SourceReference.source(for: location, key: "k")).cacheKey == "k")
    }

    @Test(arguments: ["/pictures/a.jpg", "file:///pictures/a.jpg", "data:image/gif;base64,R0lGODlh", "a b.png"])
    func filesAndDataAreRead(location: String) throws {
        let source = try #require(SourceReference.source(for: location))
        #expect(source.url == nil)
    }

    @Test(arguments: ["ftp://host/a.jpg", "javascript://host/a", "gopher://host"])
    func otherSchemesAreRefused(location: String) {
        #expect(SourceReference.source(for: location) == nil)
    }
}
