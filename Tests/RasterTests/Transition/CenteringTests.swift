import TestSupport
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(1))) struct CenteringTests {
    @Test func `a smaller picture is surrounded by the background`() {
        let picture = PixelBuffer(size: PixelSize(width: 2, height: 2), filledWith: .white)
        let centered = picture.centered(in: PixelSize(width: 4, height: 6), over: .black)
        let whites = (0..<24).filter { centered[$0 % 4, $0 / 4] == .white }
        #expect(whites == [9, 10, 13, 14])
    }

    @Test func `a larger picture is cropped to its centre`() {
        let picture = Pictures.noise(7, 5)
        let centered = picture.centered(in: PixelSize(width: 3, height: 3), over: .black)
        #expect(centered[0, 0] == picture[2, 1])
        #expect(centered[2, 2] == picture[4, 3])
    }
}
