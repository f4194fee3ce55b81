import Raster
import TerminalGraphics
import Testing

@Suite struct SixelLimitsTests {
    @Test func theDefaultsAreForSilentTerminals() {
        #expect(SixelLimits().registers == 256)
        #expect(SixelLimits().maximumSize == PixelSize(width: 1000, height: 1000))
    }

    @Test func whatATerminalClaimsIsClamped() {
        let limits = SixelLimits(registers: 65536, maximumSize: PixelSize(width: .max, height: 0))
        #expect(limits.registers == 256)
        #expect(limits.maximumSize == PixelSize(width: SixelLimits.largestSide, height: 1))
        #expect(SixelLimits(registers: 0).registers == 2)
    }

    @Test func aLargePictureIsFittedAndASmallOneLeft() {
        let limits = SixelLimits()
        #expect(limits.largestSize(for: PixelSize(width: 2000, height: 500)) == PixelSize(width: 1000, height: 250))
        #expect(limits.largestSize(for: PixelSize(width: 20, height: 5)) == PixelSize(width: 20, height: 5))
    }
}
