import BrowserCore
import Raster
import Testing

@testable import BrowserApp

@MainActor struct PictureStripsTests {
    private let presenter = PicturePresenter()
    private let cell = CellSize(width: 10, height: 20)
    private let colors: [Color] = [.white, Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255)]

    /// Pictures of 2×1 cells, so many beside each other, in rows that are three apart.
    private func placements(_ count: Int, beside columns: Int = 4) -> [PicturePlacement] {
        (0..<count).map { number in
            let pixels = PixelBuffer(size: PixelSize(width: 20, height: 20), filledWith: colors[number % 3])
            return PicturePlacement(
                rect: Rect(column: 5 + number % columns * 3, row: 1 + number / columns * 3, columns: 2, rows: 1),
                picture: presenter.add(HeldPicture(pixels, name: "\(number)")))
        }
    }

    @Test func fewPicturesStayWhatTheyAre() {
        let placements = placements(6)
        #expect(PictureStrips(presenter: presenter).merge(placements, cell: cell) == placements)
    }

    @Test func manyBecomeOneForEachRow() throws {
        // When there are eight in two rows
        let strips = PictureStrips(presenter: presenter).merge(placements(8), cell: cell)
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

    @Test func anUnchangedRowKeepsItsPicture() {
        let strips = PictureStrips(presenter: presenter)
        var all = placements(8)
        let before = strips.merge(all, cell: cell)
        let pixels = presenter.pixels(of: before[0].picture)
        all[7] = PicturePlacement(rect: all[7].rect, picture: all[0].picture)
        let after = strips.merge(all, cell: cell)
        #expect(after == before)
        #expect(presenter.pixels(of: after[0].picture) == pixels)
        #expect(presenter.pixels(of: after[1].picture)?[100, 0] == .white)
    }

    @Test func aPictureThatIsGoneLeavesItsPlaceEmpty() {
        let strips = PictureStrips(presenter: presenter)
        let all = placements(8)
        presenter.release(all[0].picture)
        let merged = strips.merge(all, cell: cell)
        #expect(presenter.pixels(of: merged[0].picture)?[0, 0].alpha == 0)
    }
}
