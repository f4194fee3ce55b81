import AlcedoLists
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct ShardTests {
    private func item(_ location: String) -> ItemRecord {
        ItemRecord(id: 0, entry: ListEntry(line: 1, location: location), list: "l")
    }

    @Test func `sharding by host puts each host into one shard and uses all shards`() throws {
        let shards = try (1...4).map { try #require(Shard("\($0)/4", by: .host)) }
        var used: Set<Int> = []
        for host in 0..<50 {
            let parts = (0..<20).map { number in
                shards.filter { $0.contains(item("https://H\(host).example.org/\(number).jpg")) }.map(\.index)
            }
            #expect(Set(parts).count == 1 && parts[0].count == 1)
            #expect(shards.filter { $0.contains(item("http://h\(host).example.org:80/x")) }.map(\.index) == parts[0])
            used.formUnion(parts[0])
        }
        #expect(used == [1, 2, 3, 4])
    }

    @Test(arguments: ["0/4", "5/4", "1/0", "1", "/", "1/4/2", "a/b", "-1/4", "1/65537", "", "1/ 4"])
    func `an invalid shard is refused`(text: String) { #expect(Shard(text) == nil) }

    @Test(arguments: [1, 2, 3, 8]) func `every picture is in exactly one shard`(count: Int) throws {
        let shards = try (1...count).map { try #require(Shard("\($0)/\(count)")) }
        var sizes = Array(repeating: 0, count: count)
        for number in 0..<2000 {
            let parts = shards.filter { $0.contains(item("https://host/\(number).jpg")) }
            #expect(parts.count == 1)
            for part in parts { sizes[part.index - 1] += 1 }
        }
        #expect(sizes.allSatisfy { $0 > 2000 / count * 3 / 4 })
    }

    @Test func `equivalent addresses and equal keys are in the same shard`() {
        let plain = ListEntry(line: 1, location: "https://host/a.jpg").pictureName
        #expect(ListEntry(line: 9, location: "HTTPS://Host:443/a.jpg#x").pictureName == plain)
        var keyed = ListEntry(line: 1, location: "https://cdn7.host/a.jpg?sig=1")
        keyed.key = "https://host/a.jpg"
        #expect(keyed.pictureName == plain)
    }
}
