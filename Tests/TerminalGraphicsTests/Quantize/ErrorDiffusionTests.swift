import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct ErrorDiffusionTests {
    private let palette = Palette(colors: [.black, .white])

    @Test(arguments: [32, 64, 128, 200])
    func `the mean of a uniform grey is kept`(level: UInt8) {
        let size = PixelSize(width: 61, height: 67)
        let grey = PixelBuffer(size: size, filledWith: Color(red: level, green: level, blue: level))
        let indices = ErrorDiffusion(palette: palette).indices(of: grey, rows: 0..<67)
        let mean = indices.reduce(0.0) { $0 + Double($1) * 255 } / Double(size.area)
        #expect(abs(mean - Double(level)) < 2)
    }

    @Test func `palette colours are not dithered`() {
        let white = PixelBuffer(size: PixelSize(width: 9, height: 9), filledWith: .white)
        #expect(ErrorDiffusion(palette: palette).indices(of: white, rows: 0..<9).allSatisfy { $0 == 1 })
    }

    @Test(arguments: [1, 2, 3])
    func `narrow pictures are dithered completely`(width: Int) {
        let picture = Pictures.slopes(width, 40)
        #expect(ErrorDiffusion(palette: palette).indices(of: picture, rows: 0..<40).count == width * 40)
    }

    @Test func `separately dithered rows keep the mean at the seam`() {
        let grey = PixelBuffer(
            size: PixelSize(width: 64, height: 64), filledWith: Color(red: 90, green: 90, blue: 90))
        let diffusion = ErrorDiffusion(palette: palette)
        let indices = diffusion.indices(of: grey, rows: 0..<32) + diffusion.indices(of: grey, rows: 32..<64)
        let seam = indices[(28 * 64)..<(36 * 64)]
        let mean = seam.reduce(0.0) { $0 + Double($1) * 255 } / Double(seam.count)
        #expect(abs(mean - 90) < 6)
    }
}
