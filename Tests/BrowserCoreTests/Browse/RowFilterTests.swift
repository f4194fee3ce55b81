import Testing

@testable import BrowserCore

@Suite(.timeLimit(.minutes(1))) struct RowFilterTests {
    private static let names = ["sp ace.png", "100%-15.png", "Größe.PNG", "a.jpg", "b*c.gif"]

    private func found(_ text: String) -> [String] {
        var items = ItemTable()
        for (place, name) in Self.names.enumerated() {
            items.append(BrowseItem(id: ItemID(place), name: name, place: "host.png", location: name))
        }
        let isFound = RowFilter(text).test(items)
        return items.indices.filter(isFound).map { Self.names[$0] }
    }

    @Test(arguments: [
        ("sp *.png", ["sp ace.png"]), ("\"sp *.png\"", ["sp ace.png"]), ("\"sp ace.png\"", ["sp ace.png"]),
        ("100%-*.png", ["100%-15.png"]), ("100%-15.png", ["100%-15.png"]), ("gr*e.png", ["Größe.PNG"]),
        ("*.png", ["sp ace.png", "100%-15.png", "Größe.PNG"]), ("!*.png", ["a.jpg", "b*c.gif"]), ("a*", Self.all("a")),
        ("*", ["b*c.gif"]), ("*.jp", []), ("p*p*g", ["sp ace.png"]), ("\"ace", []),
    ])
    func `a star makes a glob for the end of the name, and quotes are none of it`(text: String, names: [String]) {
        #expect(found(text) == names)
    }

    private static func all(_ letter: String) -> [String] { names.filter { $0.contains(letter) } }

    @Test func `a glob is looked for among all rows`() {
        #expect(!RowFilter("a*b").narrows(RowFilter("a")) && !RowFilter("a*bc").narrows(RowFilter("a*b")))
        #expect(RowFilter("ab").narrows(RowFilter("a")))
    }
}
