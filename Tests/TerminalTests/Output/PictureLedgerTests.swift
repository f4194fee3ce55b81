import AlcedoBrowserCore
import AlcedoScreen
import Raster
import Testing

@testable import AlcedoTerminal

@Suite(.timeLimit(.minutes(1)))
struct PictureLedgerTests {
    private let cell = CellSize(width: 10, height: 20)

    private func picture(
        _ id: Int, generation: Int = 0, column: Int = 2, pixels: PixelSize? = nil, removal: [UInt8] = []
    ) -> TerminalPicture {
        TerminalPicture(
            picture: PictureID(id), generation: generation, rect: Rect(column: column, row: 1, columns: 4, rows: 3),
            pixels: pixels, bytes: [UInt8(id)], removal: removal)
    }

    private func plan(
        _ ledger: inout PictureLedger, _ pictures: [TerminalPicture], mayDraw: Bool = true
    ) -> PictureLedger.Plan {
        ledger.plan(pictures, cell: cell, mayDraw: mayDraw)
    }

    @Test
    func `an unchanged picture is sent once`() {
        var ledger = PictureLedger()
        #expect(plan(&ledger, [picture(1)]).draw == [picture(1)])
        #expect(plan(&ledger, [picture(1)]).draw.isEmpty)
    }

    @Test
    func `a different picture, generation or position is sent`() {
        for changed in [picture(2), picture(1, generation: 1), picture(1, column: 3)] {
            var ledger = PictureLedger()
            _ = plan(&ledger, [picture(1)])
            #expect(plan(&ledger, [changed]).draw == [changed])
        }
    }

    @Test
    func `an outdated picture stays where it is, but is not sent`() {
        var (ledger, empty) = (PictureLedger(), PictureLedger())
        var outdated = picture(1)
        outdated.isOutdated = true
        _ = plan(&ledger, [picture(1)])
        let kept = plan(&ledger, [outdated])
        #expect(kept.draw.isEmpty && kept.removal.isEmpty && !kept.isIncomplete)
        #expect(plan(&empty, [outdated]).draw.isEmpty)
    }

    @Test
    func `after invalidate every picture is sent again`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1)])
        ledger.invalidate()
        #expect(plan(&ledger, [picture(1)]).draw.count == 1)
    }

    @Test
    func `an interrupted picture is sent again`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1)])
        ledger.damage([picture(1)])
        #expect(plan(&ledger, [picture(1)]).draw.count == 1)
    }

    @Test
    func `while the terminal is busy the new picture waits and the old one stays`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1, removal: [7])])
        let waiting = plan(&ledger, [picture(2)], mayDraw: false)
        #expect(waiting.draw.isEmpty)
        #expect(waiting.isIncomplete)
        #expect(waiting.removal.isEmpty)
        let drawn = plan(&ledger, [picture(2)])
        #expect(drawn.draw == [picture(2)])
        #expect(drawn.removal.isEmpty)
        #expect(drawn.replacedRemoval == [7])
        #expect(!drawn.isIncomplete)
    }

    @Test
    func `cells that a smaller picture does not fill are cleared`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1, pixels: PixelSize(width: 40, height: 60))])
        let smaller = plan(&ledger, [picture(2, pixels: PixelSize(width: 35, height: 42))])
        let rows = ["2;6H ", "3;6H ", "4;6H ", "4;3H    "].map { "\u{1B}[\($0)" }
        #expect(String(decoding: smaller.clearing, as: UTF8.self) == "\u{1B}[0m" + rows.joined())
        #expect(plan(&ledger, [picture(3, pixels: PixelSize(width: 35, height: 42))]).clearing.isEmpty)
    }

    @Test func `cleared cells have the theme's background`() {
        var ledger = PictureLedger()
        let pictures = [picture(2, pixels: PixelSize(width: 40, height: 42))]
        let plan = ledger.plan(pictures, cell: cell, style: .blankStyle(on: .white), mayDraw: true)
        #expect(String(decoding: plan.clearing, as: UTF8.self) == "\u{1B}[0m\u{1B}[48;5;231m\u{1B}[4;3H    ")
    }

    @Test func `with blanksReplaced a replaced picture among others is blanked first`() {
        func clearing(_ ledger: inout PictureLedger, _ pictures: [TerminalPicture]) -> String {
            let plan = ledger.plan(pictures, cell: cell, blanksReplaced: true, mayDraw: true)
            return String(decoding: plan.clearing, as: UTF8.self)
        }
        // Given two pictures
        var ledger = PictureLedger()
        var pictures = [picture(1), picture(2)]
        pictures[1].rect.column += 10
        #expect(clearing(&ledger, pictures).isEmpty)
        // When one gives its place to another
        pictures[0].picture = PictureID(3)
        // Then its cells become spaces
        let rows = ["2;3H    ", "3;3H    ", "4;3H    "].map { "\u{1B}[\($0)" }
        #expect(clearing(&ledger, pictures) == "\u{1B}[0m" + rows.joined())
        // But not those of one that stands alone
        pictures = [picture(4)]
        #expect(clearing(&ledger, pictures).isEmpty)
    }

    @Test(arguments: [(-1, ""), (7, "47"), (15, "107"), (233, "48;5;233")])
    func `the style of empty cells resets other attributes`(number: Int, parameters: String) {
        let color = parameters.isEmpty ? "" : "\u{1B}[\(parameters)m"
        #expect(ControlSequence.blankStyle(number: number) == ControlSequence("\u{1B}[0m" + color))
        #expect(ControlSequence.blankStyle(on: nil) == .resetStyle)
    }

    @Test
    func `cleared cells are offset by the origin of the pane`() {
        let picture = picture(2, pixels: PixelSize(width: 40, height: 42))
        let bytes = picture.clearing(cell: cell, origin: Position(column: 10, row: 20))
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[0m\u{1B}[24;13H    ")
    }

    @Test
    func `a picture with the same removal is not removed when drawn again`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1, removal: [7])])
        let again = plan(&ledger, [picture(2, generation: 5, removal: [7])])
        #expect(again.draw.count == 1)
        #expect(again.replacedRemoval.isEmpty && again.removal.isEmpty)
    }

    @Test
    func `frames of one picture replace each other`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1, generation: 1, removal: [7])])
        #expect(plan(&ledger, [picture(1, generation: 2, removal: [8])]).replacedRemoval == [7])
    }

    @Test
    func `pictures that text does not erase are removed once after invalidate`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1, removal: [5, 6])])
        ledger.invalidate()
        ledger.invalidate()
        #expect(ledger.removalOfAll == [5, 6])
        #expect(plan(&ledger, [picture(1, removal: [5, 6])]).removal == [5, 6])
        ledger.damage([])
        #expect(plan(&ledger, []).removal == [5, 6])
        #expect(ledger.removalOfAll.isEmpty)
    }

    @Test
    func `a removed picture is erased with its own sequence`() {
        var ledger = PictureLedger()
        _ = plan(&ledger, [picture(1, removal: [5, 6])])
        #expect(plan(&ledger, []).removal == [5, 6])
        #expect(plan(&ledger, []).removal.isEmpty)
    }

    @Test func `pictures that share a row come after the text of all their rows`() {
        let high = picture(1)
        var (ledger, low) = (PictureLedger(), picture(2, column: 20))
        low.rect.row = high.rect.row + 1
        let rows = (0..<12).map { (row: $0, bytes: Array("<\($0)>".utf8)) }
        let chunks = FrameComposer.chunks(
            text: rows, plan: plan(&ledger, [high, low]), isSynchronized: false, queriesStatus: false)
        let firstPicture = chunks.firstIndex { $0.kind != .text } ?? 0
        let before = String(decoding: chunks[..<firstPicture].flatMap(\.bytes), as: UTF8.self)
        #expect(before.contains("<11>") && chunks.filter { $0.kind != .text }.count == 2)
    }

    @Test func `a row of pictures comes with the text down to the next row`() {
        let upper = picture(1)
        var (ledger, lower, other) = (PictureLedger(), picture(2), picture(3, column: 20))
        lower.rect.row = 6
        (lower.hidden, lower.replacesOther) = ([lower.rect], true)
        other.rect.row = 6
        let rows = [0, 4, 6, 9, 12].map { (row: $0, bytes: Array("<\($0)>".utf8)) }
        let chunks = FrameComposer.chunks(
            text: rows, plan: plan(&ledger, [upper, lower, other]), isSynchronized: false, queriesStatus: true)
        let parts = chunks.map { chunk in
            chunk.kind == .text ? String(decoding: chunk.bytes, as: UTF8.self) : "picture \(chunk.bytes[0])"
        }
        let text = parts.joined().split(separator: "\u{1B}").joined()
        // A picture that takes the place of another is preceded by spaces
        let blanks = "[0m" + (7...9).map { "[\($0);3H    " }.joined()
        #expect(
            text == "<0><4>7[2;3Hpicture 18<6><9><12>7\(blanks)[7;3Hpicture 2[7;21Hpicture 38[5n")
    }
}
