import AlcedoLists
import Foundation
import ImageLoading
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct ListTraversalTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    /// Returns the events of reading a list, in words; the web has some documents.
    private func events(of list: String, web: [String: String] = [:]) async -> [String] {
        var traversal = ListTraversal([list], base: nil) { url throws(ImageError) in
            guard let text = web[url.absoluteString] else {
                throw .response(.invalidHTTPStatusCode(404, retryAfter: nil))
            }
            return (Data(text.utf8), url)
        }
        var events: [String] = []
        while let event = await traversal.next() {
            switch event {
            case .picture(let entry, let list): events.append("\(list):\(entry.line) \(entry.location)")
            case .partOmitted(let line, let list, let reason): events.append("\(list):\(line) omitted: \(reason)")
            case .lineRejected(let line, let list, let reason): events.append("\(list):\(line) rejected: \(reason)")
            case .listUnreadable(let line?, let list, let reason):
                events.append("\(list):\(line) unreadable: \(reason)")
            case .listUnreadable(nil, let list, let reason): events.append("\(list) unreadable: \(reason)")
            }
        }
        return events
    }

    private func index(of addresses: [String]) -> String {
        let entries = addresses.map { "<sitemap><loc>\($0)</loc></sitemap>" }.joined(separator: "\n")
        return "<?xml version=\"1.0\"?>\n<sitemapindex>\n\(entries)\n</sitemapindex>"
    }

    @Test func `keys lack the query parameters that the user names`() async throws {
        try place.write("l.txt", Array("http://h/a.png?sig=1&w=2\nhttp://h/b.png?w=2\n".utf8))
        var traversal = ListTraversal([place.path + "/l.txt"], base: nil, ignoredQuery: IgnoredQuery("sig")) {
            _ throws(ImageError) in throw .request(.emptyRequest)
        }
        var keys: [String?] = []
        while case .picture(let entry, _)? = await traversal.next() { keys.append(entry.key) }
        #expect(keys == ["http://h/a.png?w=2", nil])
    }

    @Test func `nested lists are read in place and each once`() async throws {
        try place.write("l.xml", Array(index(of: ["http://h/a.txt", "http://h/gone.txt", "http://h/a.txt"]).utf8))
        let web = ["http://h/a.txt": "http://h/1.png\nhttp://h/2.png\n"]
        #expect(
            await events(of: place / "l.xml", web: web) == [
                "http://h/a.txt:1 http://h/1.png", "http://h/a.txt:2 http://h/2.png",
                "\(place / "l.xml"):4 unreadable: http://h/gone.txt: 404 Not Found",
                "\(place / "l.xml"):5 rejected: a list named before",
            ])
    }

    @Test func `the pictures of an archive are listed as items`() async throws {
        let archive = ArchiveFiles.tar([("2.jpg", [1]), ("b/1.jpg", [2]), ("c.txt", [3])])
        let path = try place.write("a.tar", archive)
        #expect(await events(of: path) == ["\(path):0 \(path)/2.jpg", "\(path):0 \(path)/b/1.jpg"])
        try place.write("b.tar", ArchiveFiles.tar([("c.txt", [3])]))
        #expect(
            await events(of: place / "b.tar") == [
                "\(place / "b.tar") unreadable: \(place / "b.tar"): cannot be read: the archive has no pictures"
            ])
        // The pictures before the damage come first.
        try place.write("c.tar", archive.prefix(1600))
        let cut = await events(of: place / "c.tar")
        #expect(cut.count == 3 && cut[0].hasSuffix("/2.jpg") && cut[2].contains("cannot be read: damaged archive"))
    }

    @Test func `a cancelled reader receives no more`() async throws {
        try place.write("l.xml", Array(index(of: ["http://h/a.txt"]).utf8))
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await events(of: place / "l.xml", web: ["http://h/a.txt": "http://h/1.png\n"])
        }
        #expect(await reading.value.isEmpty)
    }

    @Test func `a linked list that is no list is reported with the line that names it`() async throws {
        try place.write("l.xml", Array(index(of: ["http://h/a.svg", "http://h/b.txt"]).utf8))
        let web = ["http://h/a.svg": "<svg></svg>", "http://h/b.txt": "http://h/1.png"]
        #expect(
            await events(of: place / "l.xml", web: web) == [
                "\(place / "l.xml"):3 unreadable: http://h/a.svg: is not a list: it is an SVG picture",
                "http://h/b.txt:1 http://h/1.png",
            ])
    }

    @Test func `a list from the network names no files`() async {
        let web = ["http://h/a.txt": "file:///etc/passwd\nhttp://h/1.png\n"]
        let events = await events(of: "http://h/a.txt", web: web)
        let rejection = "http://h/a.txt:1 rejected: \(ListFollowing.fileReason)"
        #expect(events == [rejection, "http://h/a.txt:2 http://h/1.png"])
    }

    @Test func `a list that cannot be read is reported without its secrets`() async {
        #expect(
            await events(of: "http://ann:hush@h/a.txt?token=hush") == [
                "http://h/a.txt?token=… unreadable: http://h/a.txt?token=…: 404 Not Found"
            ])
        let missing = await events(of: place / "none.txt")
        #expect(missing.count == 1 && missing[0].contains("unreadable"))
    }
}
