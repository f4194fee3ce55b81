import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The neighbours of the selected picture", .timeLimit(.minutes(1)))
struct NeighboursTests {
    private var browser = Browser()

    init() { browser.add(count: 9) }

    private mutating func deliver() -> [BrowseEffect] {
        guard let item = browser.state.selected else { return [] }
        let effects = browser.send(
            .slotPicture(RequestID(requests), .sample(item.rawValue, size: PixelSize(width: 40, height: 40))))
        return effects
    }

    private var requests = 1

    private mutating func press(_ key: Key) -> [BrowseEffect] {
        requests += 1
        return browser.press(key)
    }

    @Test
    mutating func `neighbours are prepared when the picture is shown: the next one, then the previous one`() {
        #expect(browser.effects.prepared == nil)
        #expect(deliver().prepared == [1])
        _ = press(.character("j"))
        #expect(deliver().prepared == [2, 0])
        _ = press(.character("k"))
        _ = press(.character("j"))
        _ = press(.character("j"))
        _ = press(.character("k"))
        #expect(deliver().prepared == [0, 2])
    }

    @Test
    mutating func `choosing another picture cancels the neighbour loads exactly once`() {
        _ = deliver()
        #expect(press(.character("j")).prepared == [])
        #expect(press(.character("j")).prepared == nil)
    }

    @Test
    mutating func `a neighbour is prepared again when it has been cached`() {
        _ = deliver()
        #expect(browser.send(.statusChanged(ItemID(5), .onDisk(bytes: 1))).prepared == nil)
        #expect(browser.send(.statusChanged(ItemID(1), .onDisk(bytes: 1))).prepared == [1])
    }

    @Test
    mutating func `without prefetch no neighbours are prepared`() {
        browser = Browser(options: BrowseOptions(prefetches: false))
        browser.add(count: 9)
        #expect(deliver().prepared == nil)
    }
}

@Suite("Animations in the browser", .timeLimit(.minutes(1)))
struct MotionTests {
    private var browser = Browser()

    init() {
        browser.add(count: 2)
        var facts = ShownPicture.sample(1, size: PixelSize(width: 40, height: 40))
        (facts.frames, facts.frameInterval) = (9, 50)
        browser.send(.slotPicture(RequestID(1), facts))
    }

    private var playTimes: [Int] { browser.frame.pictures.map(\.playTime) }

    @Test
    mutating func `animations play with time, and the pause key stops and resumes them`() {
        browser.send(.tick(milliseconds: 120))
        #expect(playTimes == [120])
        browser.press(.character("."))
        browser.send(.tick(milliseconds: 500))
        #expect(playTimes == [120])
        #expect(browser.state.tickInterval == nil)
        browser.press(.character("."))
        browser.send(.tick(milliseconds: 600))
        #expect(playTimes == [220])
    }

    @Test
    mutating func `animations stand still under a popup and without focus`() {
        browser.press(.character("?"))
        browser.send(.tick(milliseconds: 300))
        browser.press(.escape)
        #expect(playTimes == [0])
        browser.send(.focused(false))
        browser.send(.tick(milliseconds: 900))
        browser.send(.focused(true))
        #expect(playTimes == [0])
    }

    @Test
    mutating func `the pause key is shown only for an animation`() {
        #expect(browser.frame.text.contains(". pause"))
        browser.press(.character("."))
        #expect(browser.frame.text.contains(". play"))
        browser.send(.slotPicture(RequestID(1), .sample(1, size: PixelSize(width: 40, height: 40))))
        browser.press(.character("j"))
        #expect(!browser.frame.text.contains(". play"))
    }
}

extension [BrowseEffect] {
    /// The items that these effects prepare.
    fileprivate var prepared: [Int]? {
        for case .prepare(let items, _) in self { return items.map(\.rawValue) }
        return nil
    }
}
