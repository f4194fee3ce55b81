import AlcedoLists
import Foundation
import ImageLoading
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct PrefetchItemBuilderTests {
    private let loading = PrefetchItemBuilder(
        options: [.requestHeaders([HeaderField(name: "A", value: "1")])], variants: [])

    @Test func `a plain entry has no options of its own`() throws {
        let item = try loading.item(3, ListEntry(line: 1, location: "https://host/a.png"))
        #expect(item.id == 3 && item.priority == 0.5 && item.options == nil && item.variants.isEmpty)
        #expect(item.source.cacheKey == "https://host/a.png")
    }

    @Test func `every field of an entry is applied to its item`() throws {
        var entry = ListEntry(line: 1, location: "https://host/a.png?sig=1", alternatives: ["https://mirror/a.png"])
        (entry.key, entry.priority, entry.timeToLive) = ("a", 0.9, .seconds(60))
        (entry.lowData, entry.sha256) = ("https://host/small.png", "ab")
        entry.headers = [ListHeader(name: "B", value: "2")]
        entry.process = "bw |> blur(2)"
        let item = try loading.item(0, entry)
        let options = try #require(item.options)
        #expect(item.source.cacheKey == "a" && item.source.url?.absoluteString == "https://host/a.png?sig=1")
        #expect(item.priority == 0.9 && options.download.priority == 0.9)
        #expect(options.download.headers.map(\.name) == ["A", "B"])
        #expect(options.download.sha256 == "ab")
        // A life that the list gives is counted from when the picture came, not from its last use.
        #expect(options.cache.diskCacheExpiration == .seconds(60))
        #expect(options.cache.diskCacheAccessExtendingExpiration == .none)
        #expect(options.download.lowDataSource?.cacheKey == "https://host/small.png")
        #expect(item.variants.count == 1)
        // Whichever place answers, the picture has one name.
        #expect(options.download.alternativeSources.map(\.cacheKey) == ["a"])
        #expect(options.download.alternativeSources.first?.url?.host() == "mirror")
    }

    @Test func `a network list shares its key only with mirrors of the same host`() throws {
        let mirrors = ["https://host/b.png", "https://evil/a.png"]
        var entry = ListEntry(line: 1, location: "https://host/a.png", alternatives: mirrors)
        for (isFromNetwork, keys) in [
            (false, ["https://host/a.png", "https://host/a.png"]),
            (true, ["https://host/a.png", "https://evil/a.png"]),
        ] {
            entry.isFromNetwork = isFromNetwork
            let options = try #require(try loading.item(0, entry).options)
            #expect(options.download.alternativeSources.map(\.cacheKey) == keys)
        }
    }

    @Test func `an invalid processor or scheme throws an error`() {
        var entry = ListEntry(line: 1, location: "https://host/a.png")
        entry.process = "sharpen("
        #expect(throws: ImageError.self) { try loading.item(0, entry) }
        #expect(throws: ImageError.self) { try loading.item(0, ListEntry(line: 1, location: "ftp://host/a.png")) }
    }
}
