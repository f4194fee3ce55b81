import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ColorTextTests {
    @Test(arguments: [
        ("#abc", Color(red: 0xAA, green: 0xBB, blue: 0xCC)),
        ("#abcd", Color(red: 0xAA, green: 0xBB, blue: 0xCC, alpha: 0xDD)),
        ("#0a141E", Color(red: 10, green: 20, blue: 30)),
        ("#0a141e28", Color(red: 10, green: 20, blue: 30, alpha: 40)),
        ("black", .black), ("White", .white), ("RebeccaPurple", Color(red: 0x66, green: 0x33, blue: 0x99)),
        ("transparent", Color(red: 0, green: 0, blue: 0, alpha: 0)),
        ("darkslategrey", Color(red: 0x2F, green: 0x4F, blue: 0x4F)),
        ("lightgoldenrodyellow", Color(red: 0xFA, green: 0xFA, blue: 0xD2)),
    ])
    func `a colour text is parsed`(text: String, color: Color) {
        #expect(ColorText.color(text) == color)
    }

    @Test(arguments: [
        "", "#", "#a", "#ab", "#abcde", "#abcdefa", "#abcdefabc", "#ggg", "#-11", "abc", "redd", "# abc", "#٣٣٣",
        "#ééé",
    ])
    func `an invalid colour text is refused`(text: String) {
        #expect(ColorText.color(text) == nil)
    }

    @Test func `every colour is printed and parsed unchanged`() {
        for step in 0..<256 {
            let value = UInt8(step)
            for color in [
                Color(red: value, green: 255 - value, blue: value / 3),
                Color(red: value, green: value, blue: 7, alpha: value),
            ] {
                #expect(ColorText.color(ColorText.text(color)) == color)
            }
        }
    }
}
