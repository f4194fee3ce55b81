import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct FlatteningTests {
    private let background = Color(red: 0, green: 100, blue: 200)

    @Test func `transparent pixels show the background`() {
        let clear = PixelBuffer(
            size: PixelSize(width: 1, height: 1), filledWith: Color(red: 9, green: 9, blue: 9, alpha: 0))
        #expect(clear.flattened(over: background)[0, 0] == background)
    }

    @Test func `translucent pixels are blended with the background`() {
        let half = PixelBuffer(
            size: PixelSize(width: 1, height: 1), filledWith: Color(red: 255, green: 0, blue: 0, alpha: 51))
        #expect(half.flattened(over: background)[0, 0] == Color(red: 51, green: 80, blue: 160))
    }

    @Test func `an opaque picture is unchanged`() {
        let picture = Pictures.noise(5, 5)
        #expect(picture.flattened(over: background) == picture)
    }
}
