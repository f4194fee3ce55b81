import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
@MainActor struct PictureStripsTests {
    private let presenter = PicturePresenter()
    private let cell = CellSize(width: 10, height: 20)
    private let largest = GridSize(columns: 100, rows: 50)
    private let colors: [Color] = [.white, Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255)]

    /// Pictures of 2×1 cells, so many beside each other, in rows that are three apart.
    private func placements(_ count: Int, beside columns: Int = 4) -> [PicturePlacement] {
        (0..<count).map { number in
            let pixels = PixelBuffer(size: PixelSize(width: 20, height: 20), filledWith: colors[number % 3])
            return PicturePlacement(
                rect: Rect(column: 5 + number % columns * 3, row: 1 + number / columns * 3, columns: 2, rows: 1),
                picture: presenter.add(DecodedPicture(pixels, name: "\(number)")), item: number)
        }
    }

    private func frame(_ placements: [PicturePlacement], text: [Position] = []) -> Frame {
        var frame = Frame(size: GridSize(columns: 80, rows: 60))
        frame.pictures = placements
        for place in text { frame[place.column, place.row] = Cell("x") }
        return frame
    }

    @Test func `a few pictures are not merged into strips`() {
        let placements = placements(6)
        #expect(
            PictureStrips(presenter: presenter).merge(frame(placements), cell: cell, largest: largest, kept: 16)
                == placements)
    }

    @Test func `a row drawn in several tiles becomes one strip, over the text between its pictures`() {
        // Given 40 pictures in ten rows, each with text in its middle, where no picture may be wider than six columns
        let text = (0..<10).map { Position(column: 10, row: 1 + $0 * 3) }
        let merged = PictureStrips(presenter: presenter).merge(
            frame(placements(40), text: text), cell: cell, largest: GridSize(columns: 6, rows: 50), kept: 16)
        // Then each row is one strip of two tiles
        #expect(merged.count == 10)
        #expect(merged.allSatisfy { $0.rect.columns == 11 })
    }

    @Test func `text between pictures splits the strip of its row`() {
        // Given eight pictures in two rows, and text in the first row only
        let frame = frame(placements(8), text: [Position(column: 10, row: 1), Position(column: 10, row: 2)])
        // Then there are two strips beside it
        let strips = PictureStrips(presenter: presenter).merge(frame, cell: cell, largest: largest, kept: 16)
        #expect(
            strips.map(\.rect) == [
                Rect(column: 5, row: 1, columns: 5, rows: 1), Rect(column: 11, row: 1, columns: 5, rows: 1),
                Rect(column: 5, row: 4, columns: 11, rows: 1),
            ])
    }

    @Test func `the number of strips stays within the number of pictures that the terminal keeps`() {
        // Given 40 pictures in ten rows, each with text in its middle
        let text = (0..<10).map { Position(column: 10, row: 1 + $0 * 3) }
        let strips = PictureStrips(presenter: presenter).merge(
            frame(placements(40), text: text), cell: cell, largest: largest, kept: 16)
        // Then that of the first four stays
        #expect(strips.count == 14)
        #expect(strips.filter { $0.rect.columns == 5 }.map(\.rect.row) == [1, 1, 4, 4, 7, 7, 10, 10])
    }

    @Test func `where text shows in holes, a row is one picture that hides only its members' cells`() async throws {
        // Given eight pictures in two rows, each with text in its middle
        let strips = PictureStrips(presenter: presenter)
        let all = placements(8)
        let frame = frame(all, text: [Position(column: 10, row: 1), Position(column: 10, row: 4)])
        let merged = strips.merge(frame, cell: cell, largest: largest, kept: 16, showsText: true)
        #expect(merged.map(\.rect.columns) == [11, 11])
        // Then the text beside the pictures stays
        #expect(strips.shown(of: drawn(merged)).shown[0].hidden == all.prefix(4).map(\.rect))
        // And where it does not show, a new picture is made, which hides it
        let opaque = strips.merge(self.frame(all), cell: cell, largest: largest, kept: 16)
        try #require(opaque.count == 2)
        #expect(strips.shown(of: drawn(opaque)).shown == drawn(opaque))
    }

    @Test func `a strip with holes hides only what the frame has, and is not drawn after its time`() throws {
        // Given a row whose second picture leaves
        let strips = PictureStrips(presenter: presenter)
        let all = placements(8)
        let before = strips.merge(frame(all), cell: cell, largest: largest, kept: 16, showsText: true)
        _ = strips.shown(of: drawn(before))
        var fewer = all
        fewer.remove(at: 1)
        let between = strips.merge(frame(fewer), cell: cell, largest: largest, kept: 16, showsText: true)
        // Then the old strip stays on the screen, under the text of the second cell, but is not drawn
        #expect(between.count == 3 && between[0] == before[0] && between[2] == before[1])
        let (old, areReady) = strips.shown(of: drawn(before))
        #expect(areReady && old.map(\.picture) == before.map(\.picture))
        #expect(old[0].isOutdated && old[0].hidden == [0, 2, 3].map { all[$0].rect })
        // Until the new one is encoded
        let new = strips.shown(of: drawn(between)).shown
        #expect(new.map(\.picture) == between.dropFirst().map(\.picture))
        #expect(!new[0].isOutdated && new[0].hidden == old[0].hidden)
    }

    @Test(arguments: [true, false])
    func `pictures of other items do not stay, and those that take their place are waited for`(showsText: Bool) throws {
        // Given a page, of which the second row is on the screen
        let strips = PictureStrips(presenter: presenter)
        let all = placements(8)
        let before = strips.merge(frame(all), cell: cell, largest: largest, kept: 16, showsText: showsText)
        #expect(strips.shown(of: drawn([before[1]])).areReady)
        // When the next page comes, and better pictures of the first row
        var next = placements(8)
        for place in 0..<4 { next[place].item = all[place].item }
        for place in 4..<8 { next[place].item = place + 100 }
        let after = strips.merge(frame(next), cell: cell, largest: largest, kept: 16, showsText: showsText)
        // Then nothing of the old one is left in its second row
        #expect(after.count == 2 && !after.contains(before[1]))
        let waiting = strips.shown(of: drawn([after[0]]))
        #expect(waiting.shown.map(\.picture) == [after[0].picture] && !waiting.areReady)
        let whole = strips.shown(of: drawn(after))
        #expect(whole.areReady && whole.shown.map(\.replacesOther) == [false, true])
    }

    private func drawn(_ placements: [PicturePlacement]) -> [TerminalPicture] {
        placements.map { TerminalPicture(picture: $0.picture, rect: $0.rect, bytes: []) }
    }

    @Test func `in a strip with holes the cells of a picture have none`() throws {
        let strips = PictureStrips(presenter: presenter)
        var all = placements(8)
        let small = PixelBuffer(size: PixelSize(width: 13, height: 9), filledWith: colors[1])
        all[0] = PicturePlacement(rect: all[0].rect, picture: presenter.add(DecodedPicture(small, name: "small")))
        let merged = strips.merge(frame(all), cell: cell, largest: largest, kept: 16, showsText: true)
        let pixels = try #require(presenter.pixels(of: merged[0].picture))
        #expect(pixels[12, 8] == colors[1] && pixels[13, 8] == presenter.background && pixels[0, 19].alpha == 255)
        #expect(pixels[25, 10].alpha == 0)
    }

    @Test func `tmux keeps fewer pictures and gets fewer strips`() {
        // Given 16 pictures in four rows, each with text in its middle, where eight pictures are kept
        let text = (0..<4).map { Position(column: 10, row: 1 + $0 * 3) }
        let strips = PictureStrips(presenter: presenter).merge(
            frame(placements(16), text: text), cell: cell, largest: largest, kept: 8)
        // Then that of the first two rows stays
        #expect(strips.count == 6)
        #expect(PictureStrips.rows(of: 80, GridSize(columns: 40, rows: 50), kept: 8) == 4)
    }

    @Test func `separate strips stay until the merged strip is encoded`() throws {
        // Given two strips with text between them
        let strips = PictureStrips(presenter: presenter)
        let all = placements(8)
        let parts = strips.merge(
            frame(all, text: [Position(column: 10, row: 1)]), cell: cell, largest: largest, kept: 16)
        _ = strips.shown(of: drawn(parts))
        // When the text gives way, they stay until the one in their place is encoded
        let between = strips.merge(frame(all), cell: cell, largest: largest, kept: 16)
        #expect(strips.shown(of: drawn(parts)).shown.map(\.picture) == parts.map(\.picture))
        #expect(strips.shown(of: drawn(between)).shown.map(\.rect.columns) == [11, 11])
        // And nothing of them is kept
        _ = strips.merge(frame(all), cell: cell, largest: largest, kept: 16)
        #expect(parts.prefix(2).allSatisfy { presenter.pixels(of: $0.picture) == nil })
    }

    @Test func `many pictures become one strip for each row`() throws {
        // When there are eight in two rows
        let strips = PictureStrips(presenter: presenter).merge(
            frame(placements(8)), cell: cell, largest: largest, kept: 16)
        // Then each row is one picture that covers all of it
        #expect(
            strips.map(\.rect) == [
                Rect(column: 5, row: 1, columns: 11, rows: 1), Rect(column: 5, row: 4, columns: 11, rows: 1),
            ])
        // And holds every picture in its place, with nothing between
        let pixels = try #require(presenter.pixels(of: strips[0].picture))
        #expect(pixels.size == PixelSize(width: 110, height: 20))
        #expect(pixels[0, 0] == .white && pixels[49, 19] == colors[1] && pixels[60, 0] == colors[2])
        #expect(pixels[25, 10].alpha == 0)
    }

    @Test func `an unchanged row keeps its strip`() {
        let strips = PictureStrips(presenter: presenter)
        var all = placements(8)
        let before = strips.merge(frame(all), cell: cell, largest: largest, kept: 16)
        let pixels = presenter.pixels(of: before[0].picture)
        all[7].picture = all[0].picture
        let after = strips.merge(frame(all), cell: cell, largest: largest, kept: 16)
        #expect(after.count == 2 && after[0] == before[0])
        #expect(presenter.pixels(of: after[0].picture) == pixels)
        #expect(presenter.pixels(of: after[1].picture)?[100, 0] == .white)
    }

    @Test func `a released picture leaves its area transparent`() {
        let strips = PictureStrips(presenter: presenter)
        let all = placements(8)
        presenter.release(all[0].picture)
        let merged = strips.merge(frame(all), cell: cell, largest: largest, kept: 16)
        #expect(presenter.pixels(of: merged[0].picture)?[0, 0].alpha == 0)
    }
}
