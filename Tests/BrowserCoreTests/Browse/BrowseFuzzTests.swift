import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The browser under random messages", .timeLimit(.minutes(1)))
struct BrowseFuzzTests {
    private static let keys: [Key] =
        "jkgGirRxpw?q/ !abc.夜\u{1B}sStTvunN*zZ01hl[]yoeP:~(|>".map { Key.character($0) }
        + "dufbzlcwnp".map { Key.control($0) }
        + [.enter, .escape, .tab, .backspace, .up, .down, .home, .end, .pageUp, .pageDown, .function(1), .alt("x")]
    private static let names = ["a.jpg", "夜の港.png", "e\u{301}\u{1B}[31m.gif", "क्षि.webp", "", "👨‍👩‍👧.jpg", "\u{202E}gpj.exe"]

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `every frame is valid under random messages`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var browser = Browser(options: BrowseOptions(isASCII: seed % 4 == 0))
        var now = 0
        for step in 0..<300 {
            now += Int.random(in: 0...200, using: &random)
            browser.send(BrowseFuzzTests.message(browser, now, &random))
            let faults = browser.frame.faults
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
    }

    private static func message(_ browser: Browser, _ now: Int, _ random: inout SeededRandom) -> BrowseMessage {
        let id = RequestID(Int.random(in: 0...40, using: &random))
        let item = ItemID(Int.random(in: -1...60, using: &random))
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return .resized(size(&random), CellSize(width: Int.random(in: 1...20, using: &random), height: 20))
        case 1: return .itemsAdded(items(after: browser.state.list.items.count, &random))
        case 2, 3: return .statusChanged(item, status(&random))
        case 4, 5, 6:
            let size = PixelSize(width: Int.random(in: 0...900, using: &random), height: 300)
            return .slotPicture(id, .sample(now, size: size, origin: .network))
        case 7: return .slotFailed(id, FailureFacts(title: "503\n", detail: "no \u{9B} luck", attempts: 2))
        case 8: return .slotProgress(id, received: Int.random(in: -1...9000, using: &random), total: 9000)
        case 9: return .tick(milliseconds: now)
        case 10: return .pasted("夜\u{7}b")
        case 11: return .mouse(mouse(&random))
        default: return .key(keys.randomElement(using: &random) ?? .enter)
        }
    }

    private static func mouse(_ random: inout SeededRandom) -> MouseEvent {
        let actions: [MouseEvent.Action] = [.press, .release, .drag, .scrollUp, .scrollDown]
        let place = Position(
            column: Int.random(in: 0...200, using: &random), row: Int.random(in: 0...40, using: &random))
        return MouseEvent(action: actions.randomElement(using: &random) ?? .press, button: .left, position: place)
    }

    private static func size(_ random: inout SeededRandom) -> GridSize {
        let columns = [0, 1, 2, 5, 20, 40, 79, 80, 81, 120, 200].randomElement(using: &random) ?? 0
        return GridSize(columns: columns, rows: Int.random(in: 0...40, using: &random))
    }

    private static func items(after count: Int, _ random: inout SeededRandom) -> [BrowseItem] {
        (count..<count + 9).map { number in
            let name = names.randomElement(using: &random) ?? ""
            return BrowseItem(id: ItemID(number), name: name, place: name + name, location: "https://\(name)/\(name)")
        }
    }

    private static func status(_ random: inout SeededRandom) -> ItemStatus {
        let number = Int.random(in: -1...1_000_000, using: &random)
        let all: [ItemStatus] = [
            .waiting, .connecting, .loading(received: number, total: number * 2, rate: number),
            .loading(received: number, total: nil, rate: nil), .onDisk(bytes: number), .inMemory(bytes: number),
            .retrying(attempt: number, of: 4, seconds: number, reason: "夜\u{1B}"), .failed(reason: "404 夜の港"),
            .parked(seconds: number, reason: "429"), .duplicate(of: ItemID(number)),
        ]
        return all.randomElement(using: &random) ?? .waiting
    }
}
