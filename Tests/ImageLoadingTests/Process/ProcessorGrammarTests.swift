import TestSupport
import Testing

@testable import ImageLoading

struct ProcessorGrammarTests {
    @Test(arguments: [
        ("downsample(400x300)", "downsample(400x300)"), ("resize(400x300)", "resize(400x300, stretch)"),
        (" resize( 4x3 ,fit ) ", "resize(4x3, fit)"), ("resize(4x3, fill)", "resize(4x3, fill)"),
        ("round(20)", "round(20.0)"), ("round(25%w)", "round(25.0%w)"), ("round(12.5%h)", "round(12.5%h)"),
        ("blur(6)", "blur(6.0)"), ("blur(0.5)", "blur(0.5)"), ("bw", "bw"), ("bw()", "bw"), ("bw( )", "bw"),
        ("downsample(9x9)|>bw|>blur(2)", "downsample(9x9)|>bw|>blur(2.0)"),
        ("  downsample(9x9)  |>  bw  ", "downsample(9x9)|>bw"), ("", ""), ("   ", ""),
    ])
    func aChainIsRead(text: String, identifier: String) throws {
        #expect(try ProcessorGrammar.parse(text).identifier == identifier)
    }

    @Test func everyIdentifierIsATextThatReadsBackToTheSame() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            let number = Double.random(in: 0...100, using: &random)
            let coarse = (number * 100).rounded() / 100
            for text in ["blur(\(number))", "round(\(number))", "round(\(coarse)%w) |> round(\(number)%h)"] {
                let identifier = try ProcessorGrammar.parse(text).identifier
                #expect(try ProcessorGrammar.parse(identifier).identifier == identifier)
            }
        }
    }

    @Test(arguments: [
        ("sharpen(2)", 1, "downsample, resize, round, blur or bw"),
        ("bw |> ", 7, "downsample, resize, round, blur or bw"),
        ("|>bw", 1, "downsample, resize, round, blur or bw"), ("bw)", 1, "downsample, resize, round, blur or bw"),
        ("blur(2", 7, "a closing parenthesis"), ("blur", 1, "a number from 0 to 100"),
        ("blur()", 1, "a number from 0 to 100"),
        ("blur(x)", 6, "a number from 0 to 100"), ("blur(101)", 6, "a number from 0 to 100"),
        ("blur(nan)", 6, "a number from 0 to 100"), ("blur(1, 2)", 9, "a closing parenthesis"),
        ("bw(1)", 4, "bw without arguments"),
        ("blur(1,)", 8, "a closing parenthesis"), ("bw |> downsample(4)", 18, "a size such as 400x300"),
        ("downsample(0x5)", 12, "a size such as 400x300"), ("downsample(-4x5)", 12, "a size such as 400x300"),
        ("downsample(4x5x6)", 12, "a size such as 400x300"), ("downsample(99999x1)", 12, "a size such as 400x300"),
        ("downsample(99999999999999999999x1)", 12, "a size such as 400x300"),
        ("resize(4x5, cover)", 13, "fit, fill or stretch"),
        ("downsample(4x5, fit)", 17, "a closing parenthesis"), ("round(5%)", 7, "a radius such as 20, 25%w or 25%h"),
        ("round(-5)", 7, "a radius such as 20, 25%w or 25%h"), ("round(inf)", 7, "a radius such as 20, 25%w or 25%h"),
        ("é |> blur(é)", 1, "downsample, resize, round, blur or bw"), ("bw |> blur(é)", 12, "a number from 0 to 100"),
    ])
    func aProblemNamesItsColumnAndWhatWasExpected(text: String, column: Int, expected: String) {
        #expect(throws: ProcessorGrammar.Problem(column: column, expected: expected)) {
            try ProcessorGrammar.parse(text)
        }
    }
}
