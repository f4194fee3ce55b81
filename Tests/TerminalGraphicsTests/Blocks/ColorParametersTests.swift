import Raster
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct ColorParametersTests {
    @Test func `every colour of the 256 has its number`() {
        for (number, color) in zip(16..., XtermPalette.cubeAndGreys) {
            #expect(parameters(color, .palette256, foreground: true) == "38;5;\(number)")
            #expect(parameters(color, .palette256, foreground: false) == "48;5;\(number)")
        }
    }

    @Test(arguments: [(0, "30", "40"), (1, "31", "41"), (8, "90", "100"), (15, "97", "107")])
    func `named colors have their own parameters`(name: Int, foreground: String, background: String) {
        let color = XtermPalette.named[name]
        #expect(parameters(color, .palette16, foreground: true) == foreground)
        #expect(parameters(color, .palette16, foreground: false) == background)
    }

    @Test(arguments: [
        (Color.black, "22;30", "40"), (Color(red: 170, green: 0, blue: 0), "22;31", "41"),
        (Color(red: 170, green: 85, blue: 0), "22;33", "43"), (Color(red: 85, green: 85, blue: 85), "1;30", "40"),
        (Color(red: 255, green: 85, blue: 85), "1;31", "41"), (.white, "1;37", "47"),
    ])
    func `the Linux console gets bright foregrounds by bold and no bright backgrounds`(
        color: Color, foreground: String, background: String
    ) {
        #expect(parameters(color, .console, foreground: true) == foreground)
        #expect(parameters(color, .console, foreground: false) == background)
    }

    @Test func `truecolor parameters begin with their kind`() {
        let color = Color(red: 0, green: 255, blue: 70)
        #expect(parameters(color, .truecolor, foreground: true) == "38;2;0;255;70")
        #expect(parameters(color, .truecolor, foreground: false) == "48;2;0;255;70")
    }

    private func parameters(_ color: Color, _ depth: ColorDepth, foreground: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.append(capacity: 40) { $0.append(color, depth, foreground: foreground) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
