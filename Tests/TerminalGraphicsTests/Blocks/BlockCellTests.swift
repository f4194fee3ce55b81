import Raster
import Testing

@testable import TerminalGraphics

@Suite struct BlockCellTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    @Test(arguments: [
        ("rrbb", "▀"), ("rbrb", "▌"), ("rbbb", "▘"), ("brbb", "▝"), ("bbrb", "▖"), ("bbbr", "▗"), ("rbbr", "▚"),
    ])
    func twoColorsAreExactInEveryArrangement(pixels: String, character: Character) {
        let cell = BlockCell(fitting: pixels.map { $0 == "r" ? Self.red : Self.blue })
        #expect(cell.character == character)
        #expect(cell.foreground == Self.red)
        #expect(cell.background == Self.blue)
    }

    @Test func theOppositeArrangementExchangesTheColors() {
        let cell = BlockCell(fitting: [Self.blue, Self.blue, Self.red, Self.red])
        #expect(cell.character == "▀")
        #expect(cell.foreground == Self.blue)
        #expect(cell.background == Self.red)
    }

    @Test func oneColorIsASpace() {
        let cell = BlockCell(fitting: [Self.red, Self.red, Self.red, Self.red])
        #expect(cell.character == " ")
        #expect(cell.background == Self.red)
    }

    @Test func nearColorsShareTheirMean() {
        let nearRed = Color(red: 251, green: 0, blue: 0)
        let cell = BlockCell(fitting: [Self.red, nearRed, Self.blue, Self.blue])
        #expect(cell.character == "▀")
        #expect(cell.foreground == Color(red: 253, green: 0, blue: 0))
    }
}
