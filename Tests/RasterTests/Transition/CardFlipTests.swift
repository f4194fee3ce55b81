import TestSupport
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(1))) struct CardFlipTests {
    private let size = PixelSize(width: 90, height: 60)
    private var front: PixelBuffer { PixelBuffer(size: size, filledWith: Color(red: 255, green: 0, blue: 0)) }
    private var back: PixelBuffer { PixelBuffer(size: size, filledWith: Color(red: 0, green: 0, blue: 255)) }

    @Test func `the first half shows the old picture, the second half the new one`() {
        let flip = CardFlip(.left, background: .black)
        #expect(flip.frame(front, back, 0.3)[45, 30] == Color(red: 255, green: 0, blue: 0))
        #expect(flip.frame(front, back, 0.7)[45, 30] == Color(red: 0, green: 0, blue: 255))
    }

    @Test func `in the middle the card is seen from its edge`() {
        let frame = CardFlip(.left, background: .black).frame(front, back, 0.499)
        #expect(visible(frame) < size.area / 50)
    }

    @Test func `the named side turns towards the viewer`() {
        let left = CardFlip(.left, background: .black).frame(front, back, 0.25)
        let right = CardFlip(.right, background: .black).frame(front, back, 0.25)
        #expect(height(left, half: 0..<45) > height(left, half: 45..<90))
        #expect(height(right, half: 0..<45) < height(right, half: 45..<90))
    }

    @Test func `a vertical flip is a transposed horizontal flip`() {
        let square = PixelSize(width: 40, height: 40)
        let picture = Pictures.make(40, 40) { x, y in Color(red: UInt8(x * 6), green: UInt8(y * 6), blue: 99) }
        let turned = Pictures.make(40, 40) { x, y in Color(red: UInt8(y * 6), green: UInt8(x * 6), blue: 99) }
        let left = CardFlip(.left, background: .black).frame(picture, picture, 0.2)
        let top = CardFlip(.top, background: .black).frame(turned, turned, 0.2)
        #expect((0..<square.area).allSatisfy { left[$0 / 40, $0 % 40] == top[$0 % 40, $0 / 40] })
    }

    @Test func `the area outside the card is the background`() {
        let frame = CardFlip(.top, background: .white).frame(front, back, 0.4)
        #expect(frame[45, 0] == .white)
    }

    private func visible(_ picture: PixelBuffer) -> Int {
        (0..<size.area).count { picture[$0 % size.width, $0 / size.width] != .black }
    }

    /// The least count of card pixels in one of some columns, those beside the card left out.
    private func height(_ picture: PixelBuffer, half: Range<Int>) -> Int {
        half.map { x in (0..<size.height).count { picture[x, $0] != .black } }.filter { $0 > 0 }.min() ?? 0
    }
}
