import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct NumberTextTests {
    @Test(
        arguments: [
            (6, "6"), (0.5, "0.5"), (-2.25, "-2.25"), (0, "0"), (-0.0, "0"), (1e-5, "1e-05"), (16_384, "16384"),
            (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"),
        ] as [(Double, String)])
    func `a number is printed as its shortest text`(value: Double, text: String) {
        #expect(NumberText.text(value) == text)
        #expect(NumberText.number(text) == value)
    }

    @Test(
        arguments: [
            (0.25, "25"), (0.125, "12.5"), (1, "100"), (0, "0"), (0.07, "7"), (0.005, "0.5"), (0.3, "30"),
            (0.0001, "0.01"), (1e-5, "1e-3"), (0.29, "29"),
        ] as [(Double, String)])
    func `a fraction is printed as a percentage`(part: Double, text: String) {
        #expect(NumberText.percent(part) == text)
        #expect(NumberText.number(text, shiftedBy: -2) == part)
    }

    @Test func `every number is printed and parsed unchanged`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<5_000 {
            let part = Double.random(in: 0...1, using: &random)
            let tiny = part * 1e-9
            for value in [part, tiny] {
                #expect(NumberText.number(NumberText.text(value)) == value)
                #expect(NumberText.number(NumberText.percent(value), shiftedBy: -2) == value)
            }
        }
    }

    @Test(arguments: [
        "", "x", "nan", "inf", "-infinity", "0x10", "1e", "1e1e1", "e5", "1 2", "1,5", "٣", "+", ".", "1e999", "--1",
        "1e99999999999999999999",
    ])
    func `an invalid number is refused`(text: String) {
        #expect(NumberText.number(text) == nil)
    }
}
