import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1))) struct DuplicateGroupsTests {
    /// Items 0 to 5: 0 and 4 are equal, 1 and 3 similar with 3 the larger, 2 alone, 5 unknown.
    private func browser() -> Browser {
        var browser = Browser()
        browser.add(count: 6)
        for (index, digest, hash, width) in [
            (0, 1, 0, 100), (1, 2, 0xFF00, 100), (2, 3, 0xFFFF_0000, 100), (3, 4, 0xFF01, 300), (4, 1, 0, 100),
        ] as [(Int, UInt64, UInt64, Int)] {
            var facts = ItemFacts()
            (facts.digest, facts.hash) = (digest, hash)
            facts.size = PixelSize(width: width, height: 100)
            browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 1000 + index)))
            browser.send(.factsKnown(ItemID(index), facts))
        }
        return browser
    }

    private func rows(_ browser: Browser) -> [Int] {
        (0..<browser.state.list.count).map { browser.state.list.index(at: $0) }
    }

    @Test func `D shows groups of identical pictures, then of similar ones with the largest first`() {
        var browser = browser()
        browser.press(.character("D"))
        #expect(rows(browser) == [4, 0] && browser.state.showsGrid)
        #expect(browser.frame.text.contains("2 identical pictures") && browser.frame.text.contains("1 of 2"))
        browser.press(.character("n"))
        #expect(rows(browser) == [3, 1])
        #expect(browser.frame.text.contains("2 similar pictures") && browser.frame.text.contains("300×100"))
        #expect(browser.frame.text.contains("1 bits"))
        browser.press(.character("n"))
        #expect(rows(browser) == [4, 0])
        browser.press(.character("N"))
        #expect(rows(browser) == [3, 1])
        browser.press(.escape)
        #expect(rows(browser) == Array(0..<6) && !browser.state.showsGrid)
    }

    @Test func `a group shows how many of its files remain`() {
        var browser = browser()
        browser.press(.character("D"))
        let first = browser.state.list.index(at: 0)
        browser.send(.fileChanged(ItemID(first), isThere: false))
        #expect(browser.frame.text.contains("2 identical pictures, 1 left"))
        #expect(!(0..<browser.state.list.count).contains { browser.state.list.index(at: $0) == first })
    }

    @Test func `K marks all but the largest, F all but the first of each group`() {
        var browser = browser()
        browser.press(.character("D"), .character("K"))
        #expect(browser.state.marked == [ItemID(0)] && rows(browser) == [3, 1])
        browser.press(.character("K"))
        #expect(browser.state.marked == [ItemID(0), ItemID(1)])
        browser.press(.character("u"), .character("2"), .character("F"))
        #expect(browser.state.marked == [ItemID(3), ItemID(4)])
        browser.press(.character("D"))
        #expect(rows(browser).count == 6 && browser.state.marked.count == 2)
    }

    @Test func `new items are not added to a group, and sorting or filtering leaves it`() {
        var browser = browser()
        browser.press(.character("D"))
        browser.add(count: 2)
        #expect(rows(browser) == [4, 0])
        browser.press(.character("s"), .character("n"))
        #expect(rows(browser).count == 8 && browser.state.duplicates == nil)
        browser.press(.character("D"), .character("/"))
        browser.type("picture-2")
        #expect(rows(browser) == [2] && browser.state.duplicates == nil)
    }

    @Test func `D decodes cached pictures without a hash and then shows the duplicates`() {
        var browser = Browser()
        browser.add(count: 3)
        for index in 0..<2 { browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 10))) }
        #expect(browser.press(.character("D")).contains(.inspect([ItemID(0), ItemID(1)])))
        #expect(browser.frame.row(0).hasPrefix(" duplicates  reading 0 of 2 ────────"))
        #expect(!browser.state.showsGrid && browser.state.notice == nil)
        browser.send(.inspecting(done: 1))
        #expect(browser.frame.row(0).hasPrefix(" duplicates  reading 1 of 2 ━━━━────"))
        for index in 0..<2 {
            var facts = ItemFacts()
            (facts.digest, facts.hash) = (7, 7)
            browser.send(.factsKnown(ItemID(index), facts))
        }
        browser.send(.inspected)
        #expect(rows(browser) == [0, 1] && browser.state.showsGrid)
    }

    @Test func `groups appear while pictures are still decoded, and the chosen one stays`() {
        var browser = Browser()
        browser.add(count: 60)
        for index in 0..<60 { browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 10))) }
        browser.press(.character("D"))
        func decode(_ items: Range<Int>) {
            for index in items {
                var facts = ItemFacts()
                // Each digest is that of 20 pictures, in this order: 0, 1, 2, 0, 1, 2.
                (facts.digest, facts.hash) = (UInt64(index % 3 + 1), UInt64(index % 3) &* 0x1234_5678_9ABC_DEF0)
                browser.send(.factsKnown(ItemID(index), facts))
            }
            browser.send(.inspecting(done: items.upperBound))
        }
        decode(0..<15)
        #expect(!browser.state.showsGrid)
        decode(15..<18)
        #expect(rows(browser) == [0, 3, 6, 9, 12, 15] && browser.frame.row(0).contains("reading 18 of 60"))
        browser.press(.character("n"), .character("l"))
        decode(18..<40)
        #expect(rows(browser).prefix(2) == [1, 4] && browser.state.selected == ItemID(4))
        decode(40..<60)
        browser.send(.inspected)
        #expect(rows(browser).count == 20 && browser.state.selected == ItemID(4))
    }

    @Test(arguments: [Key.character("D"), .escape, .character("/")])
    func `groups that the user left are not shown when decoding ends`(key: Key) {
        var browser = browser()
        browser.send(.statusChanged(ItemID(5), .onDisk(bytes: 10)))
        #expect(browser.press(.character("D")).contains(.inspect([ItemID(5)])))
        #expect(rows(browser) == [4, 0] && browser.frame.row(0).contains("reading 0 of 1 ────────"))
        browser.press(key)
        browser.send(.inspected)
        #expect(rows(browser).count == 6 && !browser.state.showsGrid && !browser.frame.row(0).contains("reading 0"))
        // A picture that cannot be decoded is not decoded again.
        browser.press(.escape, .escape)
        #expect(!browser.press(.character("D")).contains { if case .inspect = $0 { true } else { false } })
    }

    @Test func `a like filter decodes cached pictures without a hash, also those cached later`() {
        var browser = Browser()
        browser.add(count: 3)
        for index in 0..<2 { browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 10))) }
        browser.press(.character("/"))
        #expect(browser.type("w>1").allSatisfy { if case .inspect = $0 { false } else { true } })
        #expect(browser.type(" like:0").contains(.inspect([ItemID(0), ItemID(1)])))
        var facts = ItemFacts()
        facts.size = PixelSize(width: 9, height: 9)
        browser.send(.statusChanged(ItemID(2), .onDisk(bytes: 10)))
        browser.send(.factsKnown(ItemID(2), facts))
        (facts.digest, facts.hash) = (7, 7)
        for index in 0..<2 { browser.send(.factsKnown(ItemID(index), facts)) }
        #expect(browser.send(.inspected).contains(.inspect([ItemID(2)])))
        #expect(rows(browser) == [0, 1])
        browser.send(.factsKnown(ItemID(2), facts))
        #expect(!browser.send(.inspected).contains { if case .inspect = $0 { true } else { false } })
        #expect(rows(browser) == [0, 1, 2])
    }

    @Test func `dup decodes only pictures without a digest`() {
        var browser = browser()
        browser.send(.statusChanged(ItemID(5), .onDisk(bytes: 10)))
        browser.press(.character("/"))
        #expect(browser.type("dup").contains(.inspect([ItemID(5)])))
        #expect(rows(browser) == [0, 4])
    }

    @Test func `a new picture at an address replaces its facts`() {
        var browser = browser()
        browser.send(.thumbnail(ItemID(0), box: .zero, .sample(1, size: PixelSize(width: 8, height: 8))))
        #expect(browser.state.list.facts[0].digest == nil && browser.state.list.facts[0].size != nil)
        #expect(browser.state.list.facts[4].digest == 1)
    }

    @Test func `without duplicates D shows a notice, and K needs a group`() {
        var browser = Browser()
        browser.add(count: 2)
        browser.press(.character("K"))
        #expect(browser.frame.text.contains("D shows the duplicates first"))
        browser.press(.character("D"))
        #expect(browser.frame.text.contains("no picture is there twice among those that are read; 2 are not read yet"))
        #expect(!browser.state.showsGrid)
    }

    @Test func `gm marks the matches of a filter and reports an invalid one`() {
        var browser = browser()
        browser.press(.character("g"), .character("m"))
        browser.type("w>=300 | dup")
        browser.press(.enter)
        #expect(browser.state.marked.map(\.rawValue) == [0, 3, 4])
        browser.press(.character("g"), .character("m"))
        browser.type("w>x")
        browser.press(.enter)
        #expect(browser.frame.text.contains("column 1, 'w>x'"))
    }

    @Test func `Tab completes a filter`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("verd")
        browser.press(.tab)
        #expect(browser.state.filter.text == "verdict:")
        browser.press(.tab)
        #expect(browser.frame.text.contains("corrupt") && browser.state.filter.text == "verdict:")
    }
}
