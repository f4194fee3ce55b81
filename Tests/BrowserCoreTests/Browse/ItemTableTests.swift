import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ItemTableTests {
    private func item(_ name: String, _ place: String, _ location: String) -> BrowseItem {
        BrowseItem(id: ItemID(0), name: name, place: place, location: location)
    }

    @Test(
        arguments: [
            ("a.png", "host", "http://host/a.png?w=1"), ("", "", ""), ("a.png", "host", "http://host/%61.png"),
            ("ä.png", "ö", "/ö/ä.png"), ("a", "a", "aaa"), ("longer than it", "x", "short"),
            ("first", "x", "first" + String(repeating: "y", count: 900)),
        ])
    func `an item is stored and returned unchanged`(name: String, place: String, location: String) {
        var table = ItemTable()
        for _ in 0..<3 { table.append(item(name, place, location)) }
        #expect(table.count == 3)
        for index in table.indices {
            #expect(table[index] == BrowseItem(id: ItemID(index), name: name, place: place, location: location))
            #expect(table.name(at: index) == name && table.place(at: index) == place)
        }
    }

    @Test
    func `more distinct places than the limit are stored correctly`() {
        var table = ItemTable()
        let places = (0..<ItemTable.placeLimit * 2).map { "host-\($0)" }
        for place in places + places { table.append(item("a", place, "http://\(place)/a")) }
        #expect(zip(table, places + places).allSatisfy { $0.place == $1 })
    }
}
