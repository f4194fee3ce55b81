import Raster
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct TextColorTests {
    @Test(arguments: [
        (Color.black, 16), (.white, 231), (Color(red: 255, green: 0, blue: 0), 196),
        (Color(red: 95, green: 135, blue: 175), 67), (Color(red: 128, green: 128, blue: 128), 244),
        (Color(red: 8, green: 8, blue: 8), 232),
    ])
    func `the nearest of 256 is a cube color or a grey`(color: Color, index: Int) {
        #expect(TextColor(color, depth: .palette256) == .indexed(index))
    }

    @Test(arguments: [
        (Color.black, "30", "40"), (Color(red: 200, green: 10, blue: 10), "31", "41"),
        (Color(red: 120, green: 120, blue: 120), "90", "100"), (.white, "97", "107"),
    ])
    func `named colors have their own parameters`(color: Color, foreground: String, background: String) {
        let named = TextColor(color, depth: .palette16)
        #expect(parameters(named, foreground: true) == foreground)
        #expect(parameters(named, foreground: false) == background)
    }

    @Test(arguments: [
        (Color.black, "22;30", "40"), (Color(red: 200, green: 10, blue: 10), "22;31", "41"),
        (Color(red: 170, green: 85, blue: 0), "22;33", "43"), (Color(red: 90, green: 80, blue: 85), "1;30", "40"),
        (Color(red: 250, green: 80, blue: 90), "1;31", "41"), (.white, "1;37", "47"),
    ])
    func `the Linux console gets bright colours by bold, in front only`(
        color: Color, foreground: String, background: String
    ) {
        let named = TextColor(color, depth: .console)
        #expect(parameters(named, foreground: true) == foreground)
        #expect(parameters(named, foreground: false) == background)
    }

    @Test func `other colors tell their kind first`() {
        let color = Color(red: 0, green: 255, blue: 70)
        #expect(parameters(.direct(color), foreground: true) == "38;2;0;255;70")
        #expect(parameters(.indexed(130), foreground: false) == "48;5;130")
    }

    @Test func `without color there is none`() {
        #expect(TextColor(.white, depth: .none) == nil)
    }

    private func parameters(_ color: TextColor?, foreground: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.append(capacity: 40) { color?.write(foreground: foreground, to: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
