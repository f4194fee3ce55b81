import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ProcessorGrammarTests {
    private static let names =
        "downsample, resize, crop, round, border, blur, overlay, tint, color, bw, blend, flip, rotate or page"

    /// A text and what it is written as.
    private static let readings: [(text: String, identifier: String)] = [
        ("downsample(400x300)", "downsample(400x300)"), ("resize(400x300)", "resize(400x300, stretch)"),
        (" resize( 4x3 ,fit ) ", "resize(4x3, fit)"), ("resize(4x3, fill)", "resize(4x3, fill)"),
        ("crop(100x60)", "crop(100x60)"), ("crop(100x60, anchor: 0.5 0.5)", "crop(100x60)"),
        ("crop(100x60,anchor:0   1)", "crop(100x60, anchor: 0 1)"),
        ("round(20)", "round(20)"), ("round(25%w)", "round(25%w)"), ("round(12.50%h)", "round(12.5%h)"),
        ("round(20, corners: br tl, background: #FFF)", "round(20, corners: tl br, background: #ffffff)"),
        ("round(20, background: white, size: 4x3)", "round(20, size: 4x3, background: #ffffff)"),
        ("round(20, corners: tl tr bl br)", "round(20)"), ("round(1, corners: none)", "round(1, corners: none)"),
        ("border(4, black, radius: 8)", "border(4, #000000, radius: 8)"), ("border()", "border(4, #000000)"),
        ("border(0.5, #12345678, corners: tr)", "border(0.5, #12345678, corners: tr)"),
        ("blur(6)", "blur(6)"), ("blur(0.50)", "blur(0.5)"), ("blur(1e1)", "blur(10)"), ("blur(-0)", "blur(0)"),
        ("overlay(#ff0000, 0.5)", "overlay(#ff0000, 0.5)"), ("overlay(red)", "overlay(#ff0000, 0.5)"),
        ("tint(#0000ff80)", "tint(#0000ff80)"), ("tint(#0f08)", "tint(#00ff0088)"),
        ("color(brightness: 0, contrast: 1, saturation: 1, exposure: 0)", "color()"),
        ("color(exposure: -0.7, contrast: 1.1)", "color(contrast: 1.1, exposure: -0.7)"),
        ("bw", "bw"), ("bw()", "bw"), ("bw ( )", "bw"),
        ("blend(multiply, alpha: 1, background: #c86432)", "blend(multiply, background: #c86432)"),
        ("blend(source-atop, alpha: 0.25)", "blend(source-atop, alpha: 0.25)"),
        ("flip(horizontal)", "flip(horizontal)"), ("flip(vertical)", "flip(vertical)"),
        ("rotate(90)", "rotate(90)"), ("rotate(-90)", "rotate(270)"), ("rotate(12.5)", "rotate(12.5)"),
        ("downsample(9x9)|>bw|>blur(2)", "downsample(9x9)|>bw|>blur(2)"),
        ("  downsample(9x9)\n |>\tbw  ", "downsample(9x9)|>bw"), ("", ""), ("   ", ""),
    ]

    @Test(arguments: readings)
    func `a chain is parsed`(text: String, identifier: String) throws {
        #expect(try ProcessorGrammar.parse(text).identifier == identifier)
    }

    @Test(arguments: readings)
    func `an identifier is parsed to the same chain`(text: String, identifier: String) throws {
        #expect(try ProcessorGrammar.parse(identifier).identifier == identifier)
    }

    @Test func `every parameter is parsed`() throws {
        func read<Step>(_ text: String, as type: Step.Type) throws -> Step {
            try #require(try ProcessorGrammar.parse(text) as? Step)
        }
        let round = try read(
            "round(25%h, size: 4x3, corners: tr, background: #01020304)", as: RoundCornerImageProcessor.self)
        #expect(round.radius == .heightFraction(0.25) && round.corners == .topRight)
        #expect(round.targetSize == PixelSize(width: 4, height: 3))
        #expect(round.background == Color(red: 1, green: 2, blue: 3, alpha: 4))
        let border = try read("border(3, red, radius: 5%w, corners: bl)", as: BorderImageProcessor.self)
        #expect(border.lineWidth == 3 && border.color == Color(red: 255, green: 0, blue: 0))
        #expect(border.radius == .widthFraction(0.05) && border.corners == .bottomLeft)
        let blend = try read("blend(hue, background: blue, alpha: 0.5)", as: BlendImageProcessor.self)
        #expect(blend.blendMode == .hue && blend.alpha == 0.5 && blend.background == Color(red: 0, green: 0, blue: 255))
        let controls = try read(
            "color(exposure: 1, saturation: 2, contrast: 3, brightness: -1)", as: ColorControlsProcessor.self)
        #expect(
            controls.inputEV == 1 && controls.saturation == 2 && controls.contrast == 3 && controls.brightness == -1)
        let crop = try read("crop(7x8, anchor: 0.25 1)", as: CroppingImageProcessor.self)
        #expect(crop.size == PixelSize(width: 7, height: 8) && crop.anchor == .init(x: 0.25, y: 1))
        let overlay = try read("overlay(#000, 0.1)", as: OverlayImageProcessor.self)
        #expect(overlay.color == .black && overlay.fraction == 0.1)
    }

    @Test func `random numbers survive printing and parsing`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let part = Double.random(in: 0...1, using: &random)
            let chain =
                BlurImageProcessor(blurRadius: part * 100) |> RoundCornerImageProcessor(radius: .widthFraction(part))
                |> CroppingImageProcessor(size: PixelSize(width: 3, height: 4), anchor: .init(x: part, y: 1 - part))
                |> RotateImageProcessor(angle: part * 700 - 350) |> BorderImageProcessor(lineWidth: part * 1e-7)
                |> ColorControlsProcessor(brightness: part - 0.5, contrast: part * 4, inputEV: part * 20 - 10)
            #expect(try ProcessorGrammar.parse(chain.identifier).identifier == chain.identifier)
        }
    }

    @Test(arguments: [
        ("sharpen(2)", 1, names), ("bw |> ", 7, names), ("|>bw", 1, names), ("bw |> |> bw", 7, names),
        ("(4)", 1, names), ("BW", 1, names), ("é |> blur(é)", 1, names),
        ("bw)", 3, "|> or the end"), ("bw bw", 4, "|> or the end"), ("bw | > bw", 4, "|> or the end"),
        ("bw() x", 6, "|> or the end"),
        ("blur(2", 7, "a comma or a closing parenthesis"), ("blur(2 |> bw", 8, "a comma or a closing parenthesis"),
        ("blur(2(3))", 7, "a comma or a closing parenthesis"),
        ("color(contrast: 1: 2)", 18, "a comma or a closing parenthesis"),
        ("blur", 5, "a number from 0 to 100"), ("blur()", 6, "a number from 0 to 100"),
        ("blur(x)", 6, "a number from 0 to 100"), ("blur(101)", 6, "a number from 0 to 100"),
        ("blur(nan)", 6, "a number from 0 to 100"), ("blur(1, 2)", 9, "a closing parenthesis"),
        ("blur(1,)", 8, "a closing parenthesis"), ("bw(1)", 4, "a closing parenthesis"),
        ("blur(radius: 1)", 15, "a number from 0 to 100"), ("bw |> blur(é)", 12, "a number from 0 to 100"),
        ("bw |> downsample(4)", 18, "a size such as 400x300"), ("downsample(0x5)", 12, "a size such as 400x300"),
        ("downsample(-4x5)", 12, "a size such as 400x300"), ("downsample(4x5x6)", 12, "a size such as 400x300"),
        ("downsample(100001x1)", 12, "a size such as 400x300"),
        ("downsample(99999999999999999999x1)", 12, "a size such as 400x300"),
        ("resize(4x5, cover)", 13, "fit, fill or stretch"), ("downsample(4x5, fit)", 17, "a closing parenthesis"),
        ("crop(4x5, anchor: 0.5)", 19, "two numbers from 0 to 1 such as 0.5 0.5"),
        ("crop(4x5, anchor: 0 1.01)", 19, "two numbers from 0 to 1 such as 0.5 0.5"),
        ("crop(4x5, achor: 0 0)", 11, "'anchor: …' or a closing parenthesis"),
        ("crop(4x5, anchor: 0 0, anchor: 1 1)", 24, "'anchor' only once"),
        ("round(5%)", 7, "a radius such as 20, 25%w or 25%h"), ("round(-5)", 7, "a radius such as 20, 25%w or 25%h"),
        ("round(inf)", 7, "a radius such as 20, 25%w or 25%h"),
        ("round(101%w)", 7, "a radius such as 20, 25%w or 25%h"),
        ("round(5, corners: tl xx)", 19, "corners such as tl tr bl br"),
        ("round(5, corners:)", 18, "corners such as tl tr bl br"),
        ("round(5, background: #ff)", 22, "a colour such as #c86432 or black"),
        ("tint(reddish)", 6, "a colour such as #c86432 or black"), ("tint()", 6, "a colour such as #c86432 or black"),
        ("overlay(red, 1.5)", 14, "a number from 0 to 1"), ("border(-1)", 8, "a number from 0 to 16384"),
        (
            "color(gamma: 2)", 7,
            "'brightness: …', 'contrast: …', 'saturation: …', 'exposure: …' or a closing parenthesis"
        ),
        ("color(exposure: 11)", 17, "a number from -10 to 10"),
        ("flip(diagonal)", 6, "horizontal or vertical"), ("rotate(left)", 8, "a number from -360000 to 360000"),
    ])
    func `a parse error has its column and the expected text`(text: String, column: Int, expected: String) {
        #expect(throws: ProcessorGrammar.Problem(column: column, expected: expected)) {
            try ProcessorGrammar.parse(text)
        }
    }

    @Test func `an unknown blend mode is reported with all names`() {
        #expect {
            try ProcessorGrammar.parse("blend(plus)")
        } throws: { error in
            guard let problem = error as? ProcessorGrammar.Problem else { return false }
            return problem.column == 7 && BlendMode.allCases.allSatisfy { problem.expected.contains($0.rawValue) }
        }
    }

    @Test func `a chain has at most 64 steps`() throws {
        let longest = Array(repeating: "bw", count: 64).joined(separator: "|>")
        #expect(try ProcessorGrammar.parse(longest).steps.count == 64)
        #expect(throws: ProcessorGrammar.Problem(column: 255, expected: "the end, as a chain may have 64 steps")) {
            try ProcessorGrammar.parse(longest + "|>bw" + String(repeating: "|>bw", count: 50_000))
        }
    }

    @Test func `random text is parsed or refused without a trap`() {
        var random = SeededRandom(seed: 99)
        let pieces = [
            "downsample", "resize", "crop", "round", "border", "blur", "overlay", "tint", "color", "bw", "blend",
            "flip",
            "rotate", "(", ")", ",", ":", "|>", "|", ">", " ", "  ", "\n", "\t", "\u{0}", "e\u{301}", "é", "🦚", "#",
            "%", "%w",
            "%h", "-", "+", ".", "x", "0", "1", "9", "400x300", "0.5", "1e309", "-1e-400", "1e", "nan", "black", "#fff",
            "corners", "background", "anchor", "alpha", "radius", "tl", "tr", "multiply", "hue", "fit", "horizontal",
            "99999999999999999999", "\u{202E}", "\u{FFFD}", "(((", "))", "::",
        ]
        var read = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            do {
                let identifier = try ProcessorGrammar.parse(text).identifier
                #expect((try? ProcessorGrammar.parse(identifier))?.identifier == identifier, "\(text)")
                read += 1
            } catch {
                #expect((1...(text.count + 1)).contains(error.column), "\(text)")
                #expect(!error.expected.isEmpty)
            }
        }
        #expect(read > 100)
    }
}
