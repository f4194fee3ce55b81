import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite struct CenteringTests {
    @Test func aSmallerPictureGetsTheBackgroundAroundIt() {
        let picture = PixelBuffer(size: PixelSize(width: 2, height: 2), filledWith: .white)
        let centered = picture.centered(in: PixelSize(width: 4, height: 6), over: .black)
        let whites = (0..<24).filter { centered[$0 % 4, $0 / 4] == .white }
        #expect(whites == [9, 10, 13, 14])
    }

    @Test func aLargerPictureLosesItsBorders() {
        let picture = Pictures.noise(7, 5)
        let centered = picture.centered(in: PixelSize(width: 3, height: 3), over: .black)
        #expect(centered[0, 0] == picture[2, 1])
        #expect(centered[2, 2] == picture[4, 3])
    }
}
