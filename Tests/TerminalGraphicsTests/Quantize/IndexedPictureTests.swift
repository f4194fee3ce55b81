import Raster
import TerminalGraphics
import Testing

@Suite struct IndexedPictureTests {
    private let size = PixelSize(width: 2, height: 1)

    @Test func pixelsAreTheColorsOfTheIndices() throws {
        let picture = try #require(IndexedPicture(size: size, colors: [.black, .white], indices: [1, 0]))
        #expect(picture.pixels[0, 0] == .white)
        #expect(picture.pixels[1, 0] == .black)
    }

    @Test func anIndexWithoutColorIsRefused() {
        #expect(IndexedPicture(size: size, colors: [.black], indices: [0, 1]) == nil)
    }

    @Test func aWrongCountOfIndicesIsRefused() {
        #expect(IndexedPicture(size: size, colors: [.black], indices: [0]) == nil)
    }

    @Test func noColorsAndTooManyAreRefused() {
        #expect(IndexedPicture(size: .zero, colors: [], indices: []) == nil)
        let many = [Color](repeating: .black, count: 257)
        #expect(IndexedPicture(size: size, colors: many, indices: [0, 0]) == nil)
    }
}
