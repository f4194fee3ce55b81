import AlcedoBrowserCore
import AlcedoLists
import Foundation
import ImageLoading
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct BrowserListLoaderTests {
    private let inbox = Inbox<BrowseMessage>()
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func listLoader(_ text: String) async throws -> BrowserListLoader {
        let listLoader = BrowserListLoader(lists: [try place.write("list.txt", text.utf8)], inbox: inbox)
        await listLoader.readWithoutNetwork()
        return listLoader
    }

    /// Downloads the documents of a web that has no others.
    private nonisolated static func fetch(_ web: [String: String]) -> ListTraversal.Fetch {
        { url throws(ImageError) in
            guard let text = web[url.absoluteString] else {
                throw .response(.invalidHTTPStatusCode(404, retryAfter: nil))
            }
            return (Data(text.utf8), url)
        }
    }

    private func items(in messages: [BrowseMessage]) -> [BrowseItem] {
        var all: [BrowseItem] = []
        for case .itemsAdded(let items) in messages { all += items }
        return all
    }

    @Test func `a list arrives in order and ends`() async throws {
        _ = try await listLoader("https://host/a.jpg\n# a comment\nhttps://host/b.png\n")
        let messages = inbox.drain()
        #expect(items(in: messages).map(\.name) == ["a.jpg", "b.png"])
        #expect(items(in: messages).map(\.id) == [ItemID(0), ItemID(1)])
        #expect(messages.last == .listFinished(skipped: 0))
    }

    @Test(arguments: [
        ("https://host/a.jpg", 0), ("https://host/gr%C3%B6%C3%9Fe.jpg", 1),
        ("https://me:hush@host/b.jpg?token=hush", 2), ("https://host/none.jpg", nil),
    ])
    func `a cache entry is mapped to the list item with its address`(_ stored: (key: String, item: Int?)) async throws {
        // Given
        let listLoader = try await listLoader(
            "https://host/a.jpg\nhttps://host/größe.jpg\nhttps://me:hush@host/b.jpg?token=hush\n")
        let cache = try await Fixtures.disk(in: place, sizes: [])
        let key = CacheEntryKey(source: stored.key, processor: "gray", kind: .processed)
        try await cache.store(Data([1]), for: key, facts: CacheEntryFacts(url: stored.key, host: "host"))
        let entry = try #require(await cache.entry(for: key))

        // When, then
        #expect(await listLoader.item(of: [entry]) == stored.item.map { ItemID($0) })
    }

    @Test func `secrets are kept for the transfer and hidden from the screen`() async throws {
        let listLoader = try await listLoader("https://user:hush@host/a.jpg?token=hush\n")
        let item = try #require(items(in: inbox.drain()).first)
        #expect(!"\(item)".contains("hush"))
        #expect(listLoader.location(item.id)?.contains("hush") == true)
        #expect(listLoader.source(item.id)?.url?.host() == "host")
    }

    @Test func `a folder that is removed, and one that is made again, are told`() async throws {
        try place.write("shown/a.png", [1])
        let loader = BrowserListLoader(lists: [place / "shown"], isFlat: false, inbox: inbox)
        let reading = Task { await loader.readWithoutNetwork() }
        _ = await inbox.messages { $0 == .listFinished(skipped: 0) }
        try FileManager.default.removeItem(atPath: place / "shown")
        let gone = await inbox.messages { $0 == .folderGone(true) }
        #expect(gone.contains(.fileChanged(ItemID(0), isThere: false)))
        try FileManager.default.createDirectory(atPath: place / "shown", withIntermediateDirectories: false)
        _ = await inbox.messages { $0 == .folderGone(false) }
        reading.cancel()
    }

    @Test func `a repeated address is a duplicate of the first`() async throws {
        _ = try await listLoader("https://host/a.jpg\nhttps://HOST/a.jpg\n")
        #expect(items(in: inbox.drain()).map(\.duplicated) == [nil, ItemID(0)])
    }

    @Test func `per-item options from the list do not apply to other items`() async throws {
        // Given a list with a picture that has a key, a mirror, a header and a smaller version
        let listLoader = try await listLoader(
            """
            {"url": "https://host/a.jpg", "key": "a", "alternatives": ["https://mirror/a.jpg"], \
            "low_data": "https://host/small/a.jpg", "headers": {"X-Album": "reeds"}}
            {"url": "https://host/b.jpg"}
            """)
        var shared = ImageOptions()
        shared.download.priority = 0.7
        // Then it is loaded so
        let options = listLoader.options(shared, for: ItemID(0))
        #expect(listLoader.source(ItemID(0))?.cacheKey == "a")
        #expect(options.download.alternativeSources.map(\.cacheKey) == ["a"])
        #expect(options.download.lowDataSource?.url?.path() == "/small/a.jpg")
        #expect(options.download.headers.contains { $0.name == "X-Album" && $0.value == "reeds" })
        #expect(options.download.priority == 0.7)
        // And the others as ever
        #expect(listLoader.options(shared, for: ItemID(1)).download.headers.isEmpty)
        #expect(listLoader.items([ItemID(0), ItemID(1)], options: shared).map { $0.options == nil } == [false, true])
    }

    @Test func `unusable lines are counted`() async throws {
        _ = try await listLoader("https://host/a.jpg\nftp://host/b.jpg\n")
        let reason = "line 2: the scheme ftp is not one of http, https, file, data"
        #expect(inbox.drain().last == .listFinished(skipped: 1, reasons: [reason]))
    }

    @Test func `a missing list is reported and the remaining items are read`() async {
        let listLoader = BrowserListLoader(lists: ["/nowhere/list.txt", "https://host/a.jpg"], inbox: inbox)
        await listLoader.readWithoutNetwork()
        let messages = inbox.drain()
        #expect(
            messages.contains {
                if case .listUnreadable(let text) = $0 { text.contains("/nowhere/list.txt") } else { false }
            })
        #expect(items(in: messages).map(\.name) == ["a.jpg"])
    }

    @Test func `the processor chain of a line is stored, and a line with an invalid chain is skipped`() async throws {
        let lines = ["bw", "nonsense("].map { "{\"url\": \"https://host/\($0.count).jpg\", \"process\": \"\($0)\"}" }
        let listLoader = try await listLoader(lines.joined(separator: "\n"))
        let messages = inbox.drain()
        #expect(items(in: messages).map(\.name) == ["2.jpg"] && listLoader.process(of: ItemID(0)) == "bw")
        guard case .listFinished(1, let reasons)? = messages.last else { Issue.record("it did not end"); return }
        #expect(reasons.first?.contains("process") == true)
    }

    @Test func `nested lists are read in place and unusable ones are counted`() async throws {
        // Given an index of a list, of a list that is gone, and of the first one again
        let index = """
            <?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            <sitemap><loc>https://host/1.txt</loc></sitemap><sitemap><loc>https://host/2.txt</loc></sitemap>
            <sitemap><loc>https://host/1.txt</loc></sitemap></sitemapindex>
            """
        let listLoader = BrowserListLoader(lists: [try place.write("list.xml", index.utf8)], inbox: inbox)
        // When it is read
        let list = "https://host/a.jpg\nftp://host/b.jpg\nfile:///etc/c.png\n"
        await listLoader.read(fetch: Self.fetch(["https://host/1.txt": list]))
        // Then the pictures arrive, and each reason has the list that it belongs to
        let messages = inbox.drain()
        #expect(items(in: messages).map(\.name) == ["a.jpg"])
        let reasons = [
            "https://host/1.txt: line 2: the scheme ftp is not one of http, https, file, data",
            "https://host/1.txt: line 3: \(ListFollowing.fileReason)",
            "line 2: https://host/2.txt: 404 Not Found", "line 3: a list named before",
        ]
        #expect(messages.last == .listFinished(skipped: 4, reasons: reasons))
    }

    @Test func `an address with a list extension is read as a list`() async {
        let listLoader = BrowserListLoader(
            lists: ["https://host/list.txt", "https://host/gone.txt?token=hush"], inbox: inbox)
        await listLoader.read(fetch: Self.fetch(["https://host/list.txt": "a.jpg\nb.jpg\n"]))
        let messages = inbox.drain()
        #expect(items(in: messages).map(\.name) == ["a.jpg", "b.jpg"])
        #expect(messages.contains(.listUnreadable("https://host/gone.txt?token=…: 404 Not Found")))
    }

    @Test func `relative locations start from the base`() async throws {
        let list = try place.write("list.txt", "a.jpg\n".utf8)
        let listLoader = BrowserListLoader(lists: [list], base: .web("https://host/album/"), inbox: inbox)
        await listLoader.readWithoutNetwork()
        #expect(listLoader.location(ItemID(0)) == "https://host/album/a.jpg")
    }

    @Test func `an unknown item has no source`() {
        #expect(BrowserListLoader(lists: [], inbox: inbox).source(ItemID(3)) == nil)
    }
}

extension BrowserListLoader {
    /// Reads local lists; every download fails.
    func readWithoutNetwork() async {
        await read { _ throws(ImageError) in throw .response(.invalidHTTPStatusCode(404, retryAfter: nil)) }
    }
}
