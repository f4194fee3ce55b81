import Foundation
import Testing

@testable import AlcedoLists

/// The header fields that pictures of pages and recordings are requested with.
@Suite(.timeLimit(.minutes(1))) struct ReferrerTests {
    private func headers(_ text: String, from address: String) async throws -> [String: [ListHeader]] {
        var found: [String: [ListHeader]] = [:]
        for try await event in ListReader(document: Data(text.utf8), from: address) {
            if case .entry(let entry) = event { found[entry.location] = entry.headers }
        }
        return found
    }

    private func referrer(_ value: String) -> [ListHeader] { [ListHeader(name: "Referer", value: value)] }

    @Test func `pictures of a page get it as Referer, those of other hosts its origin`() async throws {
        let page =
            "<html><img src=/a.png><img src='https://cdn.example/b.png'><img src='http://h.example/c.png'></html>"
        let found = try await headers(page, from: "https://u:p@h.example:8443/x/page.html?q=1#top")
        #expect(
            found["https://u:p@h.example:8443/a.png"] ?? found["https://h.example:8443/a.png"]
                == referrer("https://h.example:8443/x/page.html?q=1"))
        #expect(found["https://cdn.example/b.png"] == referrer("https://h.example:8443/"))
        #expect(found["http://h.example/c.png"] == [])
    }

    @Test func `other lists refer to nothing`() async throws {
        #expect(try await headers("/a.png\n", from: "https://h.example/l.txt")["https://h.example/a.png"] == [])
    }

    @Test func `a recording of requests names pictures, and its header fields are not used`() async throws {
        let recording = """
            {
              "log": { "entries": [
                { "request": { "url": "https://h.example/a.png", "headers": [{ "name": "Cookie", "value": "x" }] } },
                { "request": { "url": "https://h.example/b.png", "headers": [] } }
              ] }
            }
            """
        let found = try await headers(recording, from: "https://h.example/x.har")
        #expect(found == ["https://h.example/a.png": [], "https://h.example/b.png": []])
    }
}
