import Raster
import Testing

@testable import TerminalGraphics

struct PlaceholderTests {
    private let room = PlaceholderContext(
        name: "dunes.jpg", place: "images.example.org", grid: GridSize(columns: 40, rows: 10))

    @Test func aBlankOneShowsNothing() {
        #expect(BlankPlaceholder().content(for: room) == .nothing)
    }

    @Test func aTextShowsTheNameAboveThePlace() {
        #expect(TextPlaceholder().content(for: room) == .text(["dunes.jpg", "images.example.org"]))
    }

    @Test func aTextWithoutAPlaceIsTheNameAlone() {
        let room = PlaceholderContext(name: "dunes.jpg", grid: GridSize(columns: 40, rows: 10))
        #expect(TextPlaceholder().content(for: room) == .text(["dunes.jpg"]))
    }

    @Test func aPictureStandsForEveryItem() {
        let picture = PixelBuffer(size: PixelSize(width: 3, height: 2), filledWith: .white)
        #expect(PicturePlaceholder(picture).content(for: room) == .picture(picture))
    }
}
