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
}
