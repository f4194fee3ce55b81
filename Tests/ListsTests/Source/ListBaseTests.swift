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

    @Test func `an empty location is an error`() {
        #expect(throws: LocationError.empty) { try ListBase.web("http://a/").location("") }
    }
}
