import Foundation
import ImageLoading
import Lists
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ListWalkTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    /// What a walk over a list finds, in words, until `limit` things were found; the web has some documents.
    private func found(
        in list: String, web: [String: String] = [:], limit: Int = .max
    ) async -> [String] {
        var walk = ListWalk(base: nil) { url throws(ImageError) in
            guard let text = web[url.absoluteString] else {
                throw .response(.invalidHTTPStatusCode(404, retryAfter: nil))
            }
            return (Data(text.utf8), url)
        }
        var findings: [String] = []
        await walk.read(list) { finding in
            switch finding {
            case .picture(let entry, let list): findings.append("\(list):\(entry.line) \(entry.location)")
            case .noted(let line, let list, let reason): findings.append("\(list):\(line) noted: \(reason)")
            case .rejected(let line, let list, let reason): findings.append("\(list):\(line) rejected: \(reason)")
            case .unreadLink(let line, let list, let reason): findings.append("\(list):\(line) unread: \(reason)")
            case .unread(let list, let reason): findings.append("\(list) unread: \(reason)")
            }
            return findings.count < limit
        }
        return findings
    }

    private func index(of addresses: [String]) -> String {
        let entries = addresses.map { "<sitemap><loc>\($0)</loc></sitemap>" }.joined(separator: "\n")
        return "<?xml version=\"1.0\"?>\n<sitemapindex>\n\(entries)\n</sitemapindex>"
    }

    @Test func `lists in lists are read in their place each once`() async throws {
        try place.write("l.xml", Array(index(of: ["http://h/a.txt", "http://h/gone.txt", "http://h/a.txt"]).utf8))
        let web = ["http://h/a.txt": "http://h/1.png\nhttp://h/2.png\n"]
        #expect(
            await found(in: place / "l.xml", web: web) == [
                "http://h/a.txt:1 http://h/1.png", "http://h/a.txt:2 http://h/2.png",
                "\(place / "l.xml"):4 unread: http://h/gone.txt: 404 Not Found",
                "\(place / "l.xml"):5 rejected: a list named before",
            ])
    }

    @Test(arguments: 1...2)
    func `a reader that stops receives no more`(limit: Int) async throws {
        try place.write("l.xml", Array(index(of: ["http://h/a.txt", "http://h/b.txt"]).utf8))
        let web = ["http://h/a.txt": "http://h/1.png\nhttp://h/2.png\n", "http://h/b.txt": "http://h/3.png"]
        #expect(await found(in: place / "l.xml", web: web, limit: limit).count == limit)
    }

    @Test func `a list from the network names no files`() async {
        let web = ["http://h/a.txt": "file:///etc/passwd\nhttp://h/1.png\n"]
        let found = await found(in: "http://h/a.txt", web: web)
        #expect(found == ["http://h/a.txt:1 rejected: \(ListFollowing.fileReason)", "http://h/a.txt:2 http://h/1.png"])
    }

    @Test func `a list that cannot be read is reported without its secrets`() async {
        #expect(
            await found(in: "http://ann:hush@h/a.txt?token=hush") == [
                "http://h/a.txt?token=… unread: http://h/a.txt?token=…: 404 Not Found"
            ])
        let missing = await found(in: place / "none.txt")
        #expect(missing.count == 1 && missing[0].contains("unread"))
    }
}
