import Raster
import Testing

@Suite(.timeLimit(.minutes(1))) struct PixelSizeTests {
    private let wide = PixelSize(width: 1600, height: 900)

    @Test func `fitting keeps the aspect and stays inside the box`() {
        #expect(wide.scaled(to: PixelSize(width: 800, height: 800)) == PixelSize(width: 800, height: 450))
    }

    @Test func `filling covers the box`() {
        #expect(wide.scaled(to: PixelSize(width: 450, height: 450), mode: .fill) == PixelSize(width: 800, height: 450))
    }

    @Test func `stretching ignores the aspect`() {
        let box = PixelSize(width: 10, height: 3000)
        #expect(wide.scaled(to: box, mode: .stretch) == box)
    }

    @Test func `a picture is scaled up only if requested`() {
        let small = PixelSize(width: 10, height: 5)
        let box = PixelSize(width: 100, height: 100)
        #expect(small.scaled(to: box) == small)
        #expect(small.scaled(to: box, upscale: true) == PixelSize(width: 100, height: 50))
    }

    @Test func `a thin picture keeps at least one pixel`() {
        let sliver = PixelSize(width: 10_000, height: 1)
        #expect(sliver.scaled(to: PixelSize(width: 10, height: 10)) == PixelSize(width: 10, height: 1))
    }

    @Test func `empty and negative sides give an empty size`() {
        #expect(PixelSize(width: -4, height: 9) == PixelSize(width: 0, height: 9))
        #expect(wide.scaled(to: .zero) == .zero)
        #expect(PixelSize.zero.scaled(to: wide, mode: .fill) == .zero)
    }

    @Test func `the area saturates`() {
        #expect(PixelSize(width: .max, height: 2).area == .max)
        #expect(wide.area == 1_440_000)
    }

    @Test func `a size is fitted into a box only if there is one`() {
        let size = PixelSize(width: 300, height: 200)
        #expect(size.fitted(into: nil) == size && size.fitted(into: .zero) == size)
        #expect(size.fitted(into: PixelSize(width: 150, height: 150)) == PixelSize(width: 150, height: 100))
        #expect(size.fitted(into: PixelSize(width: 900, height: 900)) == size)
    }
}
