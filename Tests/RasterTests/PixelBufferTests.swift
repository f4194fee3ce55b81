import Raster
import Testing

@Suite(.timeLimit(.minutes(1))) struct PixelBufferTests {
    private let size = PixelSize(width: 3, height: 2)

    @Test func `a picture needs exactly the bytes of its size`() {
        #expect(PixelBuffer(size: size, bytes: Array(repeating: 0, count: 24)) != nil)
        #expect(PixelBuffer(size: size, bytes: Array(repeating: 0, count: 23)) == nil)
        #expect(PixelBuffer(size: PixelSize(width: .max, height: 2), bytes: []) == nil)
    }

    @Test func `writing a pixel changes no other`() {
        // Given a black picture
        var picture = PixelBuffer(size: size, filledWith: .black)
        // When one pixel is set
        picture[2, 1] = Color(red: 1, green: 2, blue: 3, alpha: 4)
        // Then it alone differs
        #expect(Array(picture.bytes.suffix(4)) == [1, 2, 3, 4])
        #expect(picture[1, 1] == .black)
    }

    @Test func `one translucent pixel makes a picture not opaque`() {
        var picture = PixelBuffer(size: size, filledWith: .white)
        #expect(picture.isOpaque)
        picture[0, 1].alpha = 254
        #expect(!picture.isOpaque)
    }
}
