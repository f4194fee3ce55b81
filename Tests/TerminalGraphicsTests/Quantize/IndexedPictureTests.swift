import Raster
import TerminalGraphics
import Testing

@Suite(.timeLimit(.minutes(1))) struct IndexedPictureTests {
    private let size = PixelSize(width: 2, height: 1)

    @Test func `pixels are the colors of the indices`() throws {
        let picture = try #require(IndexedPicture(size: size, colors: [.black, .white], indices: [1, 0]))
        #expect(picture.pixels[0, 0] == .white)
        #expect(picture.pixels[1, 0] == .black)
    }

    @Test func `an index without color is refused`() {
        #expect(IndexedPicture(size: size, colors: [.black], indices: [0, 1]) == nil)
    }

    @Test func `a wrong count of indices is refused`() {
        #expect(IndexedPicture(size: size, colors: [.black], indices: [0]) == nil)
    }

    @Test func `no colors and too many are refused`() {
        #expect(IndexedPicture(size: .zero, colors: [], indices: []) == nil)
        let many = [Color](repeating: .black, count: 257)
        #expect(IndexedPicture(size: size, colors: many, indices: [0, 0]) == nil)
    }
}
