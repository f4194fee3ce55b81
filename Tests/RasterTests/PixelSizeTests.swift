import Raster
import Testing

@Suite struct PixelSizeTests {
    private let wide = PixelSize(width: 1600, height: 900)

    @Test func fittingKeepsTheAspectAndStaysInside() {
        #expect(wide.scaled(to: PixelSize(width: 800, height: 800)) == PixelSize(width: 800, height: 450))
    }

    @Test func fillingCoversTheBox() {
        #expect(wide.scaled(to: PixelSize(width: 450, height: 450), mode: .fill) == PixelSize(width: 800, height: 450))
    }

    @Test func stretchingGivesUpTheAspect() {
        let box = PixelSize(width: 10, height: 3000)
        #expect(wide.scaled(to: box, mode: .stretch) == box)
    }

    @Test func nothingIsScaledUpUnlessAskedFor() {
        let small = PixelSize(width: 10, height: 5)
        let box = PixelSize(width: 100, height: 100)
        #expect(small.scaled(to: box) == small)
        #expect(small.scaled(to: box, upscale: true) == PixelSize(width: 100, height: 50))
    }

    @Test func aSliverKeepsAtLeastOnePixel() {
        let sliver = PixelSize(width: 10_000, height: 1)
        #expect(sliver.scaled(to: PixelSize(width: 10, height: 10)) == PixelSize(width: 10, height: 1))
    }

    @Test func emptyAndNegativeSidesGiveNothing() {
        #expect(PixelSize(width: -4, height: 9) == PixelSize(width: 0, height: 9))
        #expect(wide.scaled(to: .zero) == .zero)
        #expect(PixelSize.zero.scaled(to: wide, mode: .fill) == .zero)
    }

    @Test func theAreaSaturates() {
        #expect(PixelSize(width: .max, height: 2).area == .max)
        #expect(wide.area == 1_440_000)
    }
}
