import Foundation
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct SourceTests {
    private func source(_ address: String) throws -> Source { Source(url: try #require(URL(string: address))) }

    @Test func `the scheme decides between network and provider`() throws {
        #expect(try source("https://h/a.png").url?.absoluteString == "https://h/a.png")
        #expect(try source("https://h/a.png").cacheKey == "https://h/a.png")
        for address in ["file:///a.png", "FILE:///a.png", "data:,x"] { #expect(try source(address).url == nil) }
    }

    @Test func `a resource may have its own key`() throws {
        let url = try #require(URL(string: "https://h/a.png?signature=1"))
        #expect(ImageResource(downloadURL: url).cacheKey == url.absoluteString)
        #expect(Source.network(ImageResource(downloadURL: url, cacheKey: "a")).cacheKey == "a")
    }

    @Test func `a file resource is read from the file system with its own key`() {
        let resource = ImageResource(downloadURL: URL(filePath: "/a/b.png"), cacheKey: "k")
        let source = Source(resource)
        #expect(source.url == nil && source.cacheKey == "k")
        #expect(Source(URL(filePath: "/a/b.png")).url == nil)
    }

    @Test func `the shown address contains no credentials`() throws {
        #expect(try source("https://ann:pw@h:8080/a?b=1").shownAddress == "https://h:8080/a?b=1")
    }
}
