import Raster
import TerminalGraphics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct QuantizerTests {
    @Test(arguments: Quality.allCases, [2, 3, 16, 255, 256])
    func `a picture with as many colours as registers is exact`(quality: Quality, registers: Int) async {
        let colors = Pictures.gridColors(registers)
        let picture = Pictures.make(61, 83) { x, y in colors[(x + y * 61) % registers] }
        let indexed = await Quantizer(registers: registers).quantize(picture, quality: quality)
        #expect(indexed.pixels == picture)
    }

    @Test func `colours off the grid are rounded to it`() async {
        let picture = PixelBuffer(
            size: PixelSize(width: 3, height: 2), filledWith: Color(red: 127, green: 1, blue: 254))
        let indexed = await Quantizer().quantize(picture)
        #expect(indexed.colors == [RegisterGrid.nearest(to: Color(red: 127, green: 1, blue: 254))])
    }

    @Test func `the palette of a small picture considers every pixel`() async {
        let icon = Pictures.make(60, 60) { x, y in
            x == 17 && y == 31
                ? Color(red: 255, green: 0, blue: 0) : Color(red: 0, green: UInt8(x * 4), blue: UInt8(y * 4))
        }
        let indexed = await Quantizer().quantize(icon)
        #expect(indexed.pixels[17, 31] == Color(red: 255, green: 0, blue: 0))
    }

    @Test(arguments: Quality.allCases, [2, 7, 64, 256])
    func `no more colors than registers are used`(quality: Quality, registers: Int) async {
        let indexed = await Quantizer(registers: registers).quantize(Pictures.noise(90, 90), quality: quality)
        #expect(indexed.colors.count <= registers)
        #expect(indexed.indices.count == 8100)
        #expect(indexed.indices.allSatisfy { Int($0) < indexed.colors.count })
    }

    @Test func `all colors lie on the register grid`() async {
        let indexed = await Quantizer().quantize(Pictures.slopes(120, 90))
        #expect(indexed.colors.allSatisfy { RegisterGrid.nearest(to: $0) == $0 })
        #expect(Set(indexed.colors).count == indexed.colors.count)
    }

    @Test(arguments: [(Quality.best, 38.0), (.fast, 35.0)])
    func `gradients are close to the original`(quality: Quality, floor: Double) async {
        let picture = Pictures.slopes(320, 200)
        let indexed = await Quantizer().quantize(picture, quality: quality)
        #expect(Blur.ratio(picture, indexed.pixels) > floor)
    }

    @Test func `with few colours the best quality is closer than the fast one`() async {
        let picture = Pictures.slopes(200, 150)
        let quantizer = Quantizer(registers: 16)
        let best = await quantizer.quantize(picture, quality: .best).pixels
        let fast = await quantizer.quantize(picture, quality: .fast).pixels
        #expect(Blur.ratio(picture, best) > Blur.ratio(picture, fast))
    }

    @Test func `quantizing is deterministic`() async {
        let picture = Pictures.slopes(150, 400)
        let first = await Quantizer().quantize(picture)
        let second = await Quantizer().quantize(picture)
        #expect(first == second)
    }

    @Test func `transparency shows the background`() async {
        let clear = PixelBuffer(
            size: PixelSize(width: 4, height: 4), filledWith: Color(red: 1, green: 2, blue: 3, alpha: 0))
        let indexed = await Quantizer(background: .white).quantize(clear)
        #expect(indexed.colors == [.white])
    }

    @Test func `a given palette is used unchanged`() async {
        let palette = Palette(colors: [.black, .white])
        let indexed = await Quantizer().quantize(Pictures.noise(70, 70), quality: .fast, palette: palette)
        #expect(indexed.colors == [.black, .white])
    }

    @Test func `a shared palette contains the colours of all its pictures`() async {
        let red = PixelBuffer(size: PixelSize(width: 8, height: 8), filledWith: Color(red: 255, green: 0, blue: 0))
        let blue = PixelBuffer(size: PixelSize(width: 80, height: 80), filledWith: Color(red: 0, green: 0, blue: 255))
        let palette = await Quantizer().palette(for: [red, blue])
        #expect(Set(palette.colors) == [Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255)])
    }

    @Test(arguments: Quality.allCases)
    func `an empty picture has no indices`(quality: Quality) async {
        let indexed = await Quantizer().quantize(PixelBuffer(size: .zero, filledWith: .black), quality: quality)
        #expect(indexed.indices.isEmpty)
    }

    @Test func `the number of registers is clamped`() {
        #expect(Quantizer(registers: 0).registers == 2)
        #expect(Quantizer(registers: 1024).registers == 256)
    }
}
