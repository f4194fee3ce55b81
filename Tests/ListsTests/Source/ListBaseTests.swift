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

    @Test(arguments: [
        "www.example.com/a.jpg", "localhost:8080/a.jpg", "cdn.example.org:81/x/a.png", "example.com/",
        "192.168.0.1/a.jpg", "10.0.0.1:8080/a.jpg", "[::1]/a.jpg", "[2001:db8::1]:8080/a.jpg", "bücher.example/a.jpg",
        "пример.рф/a.jpg", "xn--bcher-kva.example/a.jpg",
    ])
    func `an address without its scheme is named, unless there is such a folder`(text: String) throws {
        let place = try TemporaryFolder()
        #expect(throws: LocationError.noScheme) { try ListBase.folder(place.path).location(text) }
        let folder = text.prefix { $0 != "/" }
        try FileManager.default.createDirectory(atPath: "\(place.path)/\(folder)", withIntermediateDirectories: true)
        #expect(try ListBase.folder(place.path).location(text) == "\(place.path)/\(text)")
        #expect(try ListBase.web("http://a/").location("www.example.com/a.jpg") == "http://a/www.example.com/a.jpg")
        #expect(throws: LocationError.noScheme) { try ListBase.web("http://a/").location("localhost:8080/a.jpg") }
    }

    @Test(arguments: ["//www.example.org/a.jpg", "//localhost:81/a.jpg", "//[::1]/a.jpg", "//bücher.example/a.jpg"])
    func `an address without its scheme but with the slashes is named, and has the scheme of a page`(
        text: String
    ) throws {
        #expect(throws: LocationError.noScheme) { try ListBase.folder("/lists").location(text) }
        let encoded = text.replacing("ü", with: "%C3%BC")
        #expect(try ["http:\(text)", "http:\(encoded)"].contains(ListBase.web("http://a/").location(text)))
        var parser = PlainTextParser(base: .folder("/lists"))
        #expect(
            parser.events("\(text)\n") == [
                .rejected(line: 1, reason: "no folder of that name; an address begins with https:// or http://")
            ])
    }

    @Test func `a path with two slashes is no address if its first folder is not called like a host`() throws {
        let place = try TemporaryFolder()
        #expect(try ListBase.folder("/").location("//photos/a.jpg") == "//photos/a.jpg")
        let path = "/\(place.path)/www.example.org/a.jpg"
        #expect(try ListBase.folder("/lists").location(path) == path)
    }

    @Test(arguments: ["192.168.0.1/a", "//www.example.org/a", "[::1]/a", "bücher.example/a", "www.example.org"])
    func `an argument without its scheme has the same hint`(name: String) {
        #expect(ListError.missing(file: name).description.hasSuffix("; a URL begins with https:// or http://"))
    }

    @Test(arguments: [
        "2024.06/a.jpg", "a b.com/a.jpg", "../a.jpg", "./www.a.com/a.jpg", "a/b.com/c", "v1.2/a.jpg", ".git/a",
        "1.2.3/a.jpg", "2024.06.01.1/a.jpg", "[2024]/a.jpg", "[a.b]/c.jpg", "//photos/a.jpg", "///www.a.com/a.jpg",
        "größe/a.jpg", "photos.zip/größe.jpg", "192.168.0.256/a.jpg",
    ])
    func `other paths are no addresses`(text: String) throws {
        #expect(Location.host(beginning: text) == nil)
    }

    @Test func `an empty location is an error`() {
        #expect(throws: LocationError.empty) { try ListBase.web("http://a/").location("") }
    }
}
