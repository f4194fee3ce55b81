import Raster
import Testing

@testable import TerminalGraphics

@Suite struct TextColorTests {
    @Test(arguments: [
        (Color.black, 16), (.white, 231), (Color(red: 255, green: 0, blue: 0), 196),
        (Color(red: 95, green: 135, blue: 175), 67), (Color(red: 128, green: 128, blue: 128), 244),
        (Color(red: 8, green: 8, blue: 8), 232),
    ])
    func theNearestOf256IsACubeColorOrAGrey(color: Color, index: Int) {
        #expect(TextColor(color, depth: .palette256) == .indexed(index))
    }

    @Test(arguments: [
        (Color.black, "30", "40"), (Color(red: 200, green: 10, blue: 10), "31", "41"),
        (Color(red: 120, green: 120, blue: 120), "90", "100"), (.white, "97", "107"),
    ])
    func namedColorsHaveTheirOwnParameters(color: Color, foreground: String, background: String) {
        let named = TextColor(color, depth: .palette16)
        #expect(named?.parameters(foreground: true) == foreground)
        #expect(named?.parameters(foreground: false) == background)
    }

    @Test func withoutColorThereIsNone() {
        #expect(TextColor(.white, depth: .none) == nil)
    }
}
