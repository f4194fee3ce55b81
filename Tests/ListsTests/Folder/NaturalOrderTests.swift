import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct NaturalOrderTests {
    @Test func `numbers sort by value, and case decides last`() {
        let names = [
            "img10.png", "B.png", "img2.png", "a.png", "img002.png", "img.png", "A.png", "99999999999999999999.png",
        ]
        let sorted = names.sorted { NaturalOrder.precedes($0, $1) }
        #expect(
            sorted == [
                "99999999999999999999.png", "A.png", "a.png", "B.png", "img.png", "img002.png", "img2.png", "img10.png",
            ])
    }

    @Test(arguments: ["", "a", "1", "a1", "a01", "A1", "1a", "01a", "é", "a1b2", "a1b10"])
    func `the order is strict and total`(name: String) {
        #expect(!NaturalOrder.precedes(name, name))
        for other in ["", "a", "1", "a1", "a01", "A1", "1a", "01a", "é", "a1b2", "a1b10"] where other != name {
            #expect(NaturalOrder.precedes(name, other) != NaturalOrder.precedes(other, name))
        }
    }

    @Test func `sorting by keys gives the same order as comparing names`() {
        var random = SeededRandom(seed: 5)
        let letters = Array("aAbBzZ0019.-_ ~!")
        let names = (0..<3000).map { _ in
            String(
                (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &random)]
                })
        }
        #expect(NaturalOrder.sorted(names) { $0 } == names.sorted(by: NaturalOrder.precedes))
        let mixed = names + ["é10", "e9", "é9"]
        #expect(NaturalOrder.sorted(mixed) { $0 } == mixed.sorted(by: NaturalOrder.precedes))
    }

    @Test(arguments: [254, 255, 256, 600]) func `numbers of any length sort by value`(count: Int) {
        let (short, long) = (String(repeating: "9", count: count), "1" + String(repeating: "0", count: count))
        #expect(NaturalOrder.sorted([long, short]) { $0 } == [short, long])
    }
}
