import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct BoxScalingTests {
    @Test func `a scaled pixel is the mean of the pixels it covers`() {
        let picture = Pictures.make(4, 2) { x, _ in x % 2 == 0 ? .black : .white }
        let scaled = picture.boxScaled(to: PixelSize(width: 2, height: 1))
        #expect(scaled[0, 0] == Color(red: 128, green: 128, blue: 128))
        #expect(scaled[1, 0] == scaled[0, 0])
    }

    @Test func `transparent pixels do not contribute colour`() {
        let picture = Pictures.make(2, 1) { x, _ in
            x == 0 ? Color(red: 200, green: 0, blue: 0) : Color(red: 0, green: 255, blue: 0, alpha: 0)
        }
        #expect(
            picture.boxScaled(to: PixelSize(width: 1, height: 1))[0, 0]
                == Color(red: 200, green: 0, blue: 0, alpha: 128))
    }

    @Test func `enlarging repeats pixels`() {
        let picture = Pictures.make(2, 1) { x, _ in x == 0 ? .black : .white }
        let scaled = picture.boxScaled(to: PixelSize(width: 6, height: 2))
        #expect((0..<6).map { scaled[$0, 1] == .white } == [false, false, false, true, true, true])
    }

    @Test func `every pixel counts in an uneven division`() {
        let picture = Pictures.make(7, 1) { x, _ in x == 3 ? .white : .black }
        let scaled = picture.boxScaled(to: PixelSize(width: 3, height: 1))
        #expect((0..<3).contains { scaled[$0, 0] != .black })
    }

    @Test func `empty sizes give an empty picture`() {
        #expect(Pictures.noise(3, 3).boxScaled(to: .zero).size.isEmpty)
        let empty = PixelBuffer(size: .zero, filledWith: .black)
        #expect(empty.boxScaled(to: PixelSize(width: 3, height: 3)).size.isEmpty)
    }
}
