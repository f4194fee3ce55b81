import Foundation
import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct ListBaseTests {
    @Test func `URLs are web bases and paths are folders`() throws {
        #expect(try ListBase.detect("http://a.example/x/") == .web("http://a.example/x/"))
        #expect(try ListBase.detect("x", from: "/lists") == .folder("/lists/x"))
        #expect(try ListBase.detect("file:///x%20y") == .folder("/x y"))
    }

    @Test func `any other base is an error without secrets`() {
        let error = #expect(throws: ListError.self) { try ListBase.detect("ftp://me:pw@a/") }
        #expect(error?.description == "ftp://a/: the scheme ftp is not one of http, https, file, data")
        #expect(throws: ListError.self) { try ListBase.detect("data:,x") }
    }

    @Test func `the URL of a folder is escaped and ends in a slash`() {
        #expect(ListBase.folder("/a b").url == "file:///a%20b/")
        #expect(ListBase.folder("/").url == "file:///")
    }

    @Test(arguments: ["www.example.com/a.jpg", "localhost:8080/a.jpg", "cdn.example.org:81/x/a.png", "example.com/"])
    func `an address without its scheme is named, unless there is such a folder`(text: String) throws {
        let place = try TemporaryFolder()
        #expect(throws: LocationError.noScheme) { try ListBase.folder(place.path).location(text) }
        let folder = text.prefix { $0 != "/" }
        try FileManager.default.createDirectory(atPath: "\(place.path)/\(folder)", withIntermediateDirectories: true)
        #expect(try ListBase.folder(place.path).location(text) == "\(place.path)/\(text)")
        #expect(try ListBase.web("http://a/").location("www.example.com/a.jpg") == "http://a/www.example.com/a.jpg")
        #expect(throws: LocationError.noScheme) { try ListBase.web("http://a/").location("localhost:8080/a.jpg") }
    }

    @Test(arguments: [
        "2024.06/a.jpg", "a b.com/a.jpg", "../a.jpg", "./www.a.com/a.jpg", "a/b.com/c", "v1.2/a.jpg", ".git/a",
    ])
    func `other paths are no addresses`(text: String) throws {
        #expect(Location.host(beginning: text) == nil)
    }

    @Test func `an empty location is an error`() {
        #expect(throws: LocationError.empty) { try ListBase.web("http://a/").location("") }
    }
}
