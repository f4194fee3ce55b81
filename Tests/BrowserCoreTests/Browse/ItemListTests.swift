import AlcedoFilters
import Testing

@testable import AlcedoBrowserCore

@Suite("The item list", .timeLimit(.minutes(1)))
struct ItemListTests {
    private func list(_ names: [String]) -> ItemList {
        var list = ItemList()
        _ = list.append(
            names.enumerated().map { offset, name in
                BrowseItem(id: ItemID(offset), name: name, place: "Host.example", location: name)
            })
        return list
    }

    private func shown(_ list: ItemList) -> [String] { (0..<list.count).map { list.items[list.index(at: $0)].name } }

    @Test
    func `a filter matches parts of names and places, ignoring case, also beyond ASCII`() throws {
        var list = list(["Aurora.JPG", "ÄPFEL.png", "夜の港.png"])
        list.apply(try PictureFilter("jPg", in: .list))
        #expect(shown(list) == ["Aurora.JPG"])
        list.apply(try PictureFilter("äpf", in: .list))
        #expect(shown(list) == ["ÄPFEL.png"])
        list.apply(try PictureFilter("HOST", in: .list))
        #expect(list.count == 3)
        list.apply(try PictureFilter("!png", in: .list))
        #expect(shown(list) == ["Aurora.JPG"])
    }

    @Test
    func `narrowing a filter step by step equals filtering at once`() throws {
        let names = (0..<500).map { "picture-\($0).jpg" }
        var stepwise = list(names)
        for prefix in ["-", "-1", "-12"] { stepwise.apply(try PictureFilter(prefix, in: .list)) }
        var atOnce = list(names)
        atOnce.apply(try PictureFilter("-12", in: .list))
        #expect(shown(stepwise) == shown(atOnce))
        #expect(atOnce.count == 11)
    }

    @Test
    func `the row of a hidden item is that of the next visible one`() throws {
        var list = list(["q1", "b", "q2", "b", "q3"])
        list.apply(try PictureFilter("q", in: .list))
        #expect((0..<5).map { list.row(of: $0) } == [0, 1, 1, 2, 2])
        #expect(list.row(of: 9) == 3)
    }

    @Test(
        arguments: ["7", "!7", "~7$", "!~[0-6]$"])
    func `a long list is filtered in slices with the same result, including items added meanwhile`(text: String)
        throws
    {
        let filter = try PictureFilter(text, in: .list)
        let names = (0..<20_000).map { "\($0)" }
        var list = list(names)
        list.apply(filter)
        #expect(list.isFiltering && list.count < names.count)
        _ = list.append((20_000..<20_100).map { BrowseItem(id: ItemID($0), name: "\($0)", place: "", location: "") })
        while list.isFiltering { list.continueFiltering() }
        #expect(shown(list) == (0..<20_100).filter(list.predicate(of: filter)).map { "\($0)" })
    }

    @Test
    func `a filter that changes while it is applied starts again`() throws {
        var list = list((0..<20_000).map { "\($0)" })
        list.apply(try PictureFilter("1", in: .list))
        list.apply(try PictureFilter("19", in: .list))
        while list.isFiltering { list.continueFiltering() }
        #expect(list.count == (0..<20_000).count { "\($0)".contains("19") })
        list.apply(try PictureFilter("", in: .list))
        #expect(!list.isFiltering && list.count == 20_000)
    }

    @Test
    func `an item with an unexpected identifier is rejected`() throws {
        var list = list(["a", "b"])
        let added = list.append([1, 2, 4].map { BrowseItem(id: ItemID($0), name: "x", place: "", location: "") })
        #expect(added == 1)
        #expect(list.items.map(\.id.rawValue) == [0, 1, 2])
    }
}
