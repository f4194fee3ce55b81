import Raster
import Testing

@testable import TerminalGraphics

struct PlaceholderTests {
    private let room = PlaceholderRoom(
        name: "dunes.jpg", place: "images.example.org", grid: GridSize(columns: 40, rows: 10))

    @Test func aBlankOneShowsNothing() {
        #expect(BlankPlaceholder().look(room) == .nothing)
    }

    @Test func aTextShowsTheNameAboveThePlace() {
        #expect(TextPlaceholder().look(room) == .text(["dunes.jpg", "images.example.org"]))
    }

    @Test func aTextWithoutAPlaceIsTheNameAlone() {
        let room = PlaceholderRoom(name: "dunes.jpg", grid: GridSize(columns: 40, rows: 10))
        #expect(TextPlaceholder().look(room) == .text(["dunes.jpg"]))
    }

    @Test func aPictureStandsForEveryItem() {
        let picture = PixelBuffer(size: PixelSize(width: 3, height: 2), filledWith: .white)
        #expect(PicturePlaceholder(picture).look(room) == .picture(picture))
    }
}
