import Raster
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@Suite(.timeLimit(.minutes(1))) struct PortablePixmapTests {
    @Test func `the header contains the size, and transparency is blended with black`() {
        // Given an opaque and a half transparent pixel
        var picture = PixelBuffer(size: PixelSize(width: 2, height: 1), filledWith: .white)
        picture[1, 0] = Color(red: 200, green: 100, blue: 0, alpha: 128)
        // When it is written
        let bytes = PortablePixmap.bytes(of: picture)
        // Then the second is half as bright
        #expect(bytes == Array("P6\n2 1\n255\n".utf8) + [255, 255, 255, 100, 50, 0])
    }
}
