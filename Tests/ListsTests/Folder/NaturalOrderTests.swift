import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct NaturalOrderTests {
    @Test func `numbers sort by value, and case decides last`() {
        let names = [
            "img10.png", "B.png", "img2.png", "a.png", "img002.png", "img.png", "A.png", "99999999999999999999.png",
        ]
        let sorted = names.sorted { FolderWalk.precedes($0, $1) }
        #expect(
            sorted == [
                "99999999999999999999.png", "A.png", "a.png", "B.png", "img.png", "img002.png", "img2.png", "img10.png",
            ])
    }

    @Test(arguments: ["", "a", "1", "a1", "a01", "A1", "1a", "01a", "é", "a1b2", "a1b10"])
    func `the order is strict and total`(name: String) {
        #expect(!FolderWalk.precedes(name, name))
        for other in ["", "a", "1", "a1", "a01", "A1", "1a", "01a", "é", "a1b2", "a1b10"] where other != name {
            #expect(FolderWalk.precedes(name, other) != FolderWalk.precedes(other, name))
        }
    }
}
