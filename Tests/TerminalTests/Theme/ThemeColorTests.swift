import Raster
import Testing

@testable import AlcedoTerminal

@Suite("Theme colours", .timeLimit(.minutes(1)))
struct ThemeColorTests {
    @Test(
        arguments: [
            ("#000000", 16), ("#ffffff", 231), ("#5fd7d7", 80), ("#00005F", 17), ("#808080", 244), ("red", 1),
            ("white", 7), ("bright-black", 8), ("bright-white", 15), ("default", -1),
        ])
    func `a colour is #rrggbb, one of sixteen names, or default`(text: String, number: Int) throws {
        let color = try #require(ThemeColor(text))
        #expect(color.number(among: 256) ?? -1 == number)
    }

    @Test(
        arguments: [
            "", "#", "#fff", "#1234567", "#12345g", "#+12345", "rgb:1/2/3", "Red", "grey", "bright-", "12", "ä",
        ])
    func `any other text is not a colour`(text: String) { #expect(ThemeColor(text) == nil) }

    @Test
    func `every colour of the cube and every grey maps to itself`() {
        var seen: Set<Color> = []
        for number in UInt8(16)...255 where seen.insert(XtermPalette.color(number)).inserted {
            #expect(ThemeColor(XtermPalette.color(number)).number(among: 256) == Int(number))
        }
        #expect(seen.count > 230)
    }

    @Test
    func `an intermediate colour maps to the nearer one`() {
        #expect(ThemeColor(Color(red: 100, green: 0, blue: 0)).number(among: 256) == 52)
        #expect(ThemeColor(Color(red: 130, green: 0, blue: 0)).number(among: 256) == 88)
        #expect(ThemeColor(Color(red: 11, green: 10, blue: 12)).number(among: 256) == 232)
    }

    @Test(
        arguments: [
            ("#ff5f5f", 1), ("#87d787", 2), ("#ffd75f", 3), ("#00005f", 4), ("#af5faf", 5), ("#5fd7d7", 6),
            ("#808080", nil), ("#ffffff", nil), ("#000000", nil), ("#908a90", nil), ("default", nil),
        ] as [(String, Int?)])
    func `with few colours only the hue is kept, and a grey has none`(text: String, number: Int?) throws {
        let color = try #require(ThemeColor(text))
        #expect(color.number(among: 8) == number && color.number(among: 16) == number)
        #expect(color.number(among: 2) == nil && color.number(among: 0) == nil)
    }

    @Test
    func `a bright name is bright among sixteen colours and plain among eight`() throws {
        let color = try #require(ThemeColor("bright-red"))
        #expect(color.number(among: 16) == 9 && color.number(among: 8) == 1 && color.number(among: 256) == 9)
    }

    @Test
    func `the palette equals that of xterm`() {
        #expect(XtermPalette.color(1) == Color(red: 0xCD, green: 0, blue: 0))
        #expect(XtermPalette.color(21) == Color(red: 0, green: 0, blue: 255))
        #expect(XtermPalette.color(203) == Color(red: 255, green: 95, blue: 95))
        #expect(XtermPalette.color(255) == Color(red: 238, green: 238, blue: 238))
    }
}
