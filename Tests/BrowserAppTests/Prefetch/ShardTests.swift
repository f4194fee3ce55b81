import Lists
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ShardTests {
    @Test(arguments: ["0/4", "5/4", "1/0", "1", "/", "1/4/2", "a/b", "-1/4", "1/65537", "", "1/ 4"])
    func `what is no part is refused`(text: String) { #expect(Shard(text) == nil) }

    @Test(arguments: [1, 2, 3, 8]) func `every picture is in exactly one part`(count: Int) throws {
        let shards = try (1...count).map { try #require(Shard("\($0)/\(count)")) }
        var sizes = Array(repeating: 0, count: count)
        for number in 0..<2000 {
            let name = PictureName(of: ListEntry(line: 1, location: "https://host/\(number).jpg"))
            let parts = shards.filter { $0.contains(name) }
            #expect(parts.count == 1)
            for part in parts { sizes[part.index - 1] += 1 }
        }
        #expect(sizes.allSatisfy { $0 > 2000 / count * 3 / 4 })
    }

    @Test func `a picture's part is that of its key however its address is written`() {
        let plain = PictureName(of: ListEntry(line: 1, location: "https://host/a.jpg"))
        #expect(PictureName(of: ListEntry(line: 9, location: "HTTPS://Host:443/a.jpg#x")) == plain)
        var keyed = ListEntry(line: 1, location: "https://cdn7.host/a.jpg?sig=1")
        keyed.key = "https://host/a.jpg"
        #expect(PictureName(of: keyed) == plain)
    }
}
