import Raster
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1)))
struct PlaceholderTests {
    private let room = PlaceholderContext(
        name: "dunes.jpg", place: "images.example.org", grid: GridSize(columns: 40, rows: 10))

    @Test func `a blank placeholder shows nothing`() {
        #expect(BlankPlaceholder().content(for: room) == .nothing)
    }

    @Test func `a text placeholder shows the name above the place`() {
        #expect(TextPlaceholder().content(for: room) == .text(["dunes.jpg", "images.example.org"]))
    }

    @Test func `a text placeholder without a place shows the name only`() {
        let room = PlaceholderContext(name: "dunes.jpg", grid: GridSize(columns: 40, rows: 10))
        #expect(TextPlaceholder().content(for: room) == .text(["dunes.jpg"]))
    }

    @Test func `a picture placeholder is used for every item`() {
        let picture = PixelBuffer(size: PixelSize(width: 3, height: 2), filledWith: .white)
        #expect(PicturePlaceholder(picture).content(for: room) == .picture(picture))
    }
}
