import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct BlockFittingTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    @Test(arguments: [
        ("rrbb", "▀"), ("rbrb", "▌"), ("rbbb", "▘"), ("brbb", "▝"), ("bbrb", "▖"), ("bbbr", "▗"), ("rbbr", "▚"),
    ])
    func `two colours in any arrangement of quarters are drawn exactly`(pixels: String, character: Character) {
        let colors = pixels.map { $0 == "r" ? Self.red : Self.blue }
        let cell = cell(.quadrant) { x, y in colors[y / 12 * 2 + x / 4] }
        #expect(cell.character == character)
        #expect(cell.foreground == Self.red)
        #expect(cell.background == Self.blue)
    }

    @Test func `two colours in any arrangement of sixths are drawn exactly`() {
        for pattern in 0..<64 {
            let samples = Self.samples { x, y in pattern >> (y / 8 * 2 + x / 4) & 1 == 1 ? Self.red : Self.blue }
            let cell = BlockPicture(samples, grid: GridSize(columns: 1, rows: 1), set: .sextant)[0, 0]
            #expect(Glyphs.drawn(cell) == samples, "pattern \(pattern)")
        }
    }

    @Test(arguments: [(1, "▁"), (2, "▂"), (3, "▃"), (5, "▅"), (6, "▆"), (7, "▇")] as [(Int, Character)])
    func `two colours split at eighths of the height are drawn exactly`(eighths: Int, character: Character) {
        let cell = cell(.quadrant) { _, y in y >= 24 - eighths * 3 ? Self.red : Self.blue }
        #expect(cell.character == character)
        #expect(cell.foreground == Self.red)
        #expect(cell.background == Self.blue)
    }

    @Test(arguments: [(1, "▏"), (2, "▎"), (3, "▍"), (5, "▋"), (6, "▊"), (7, "▉")] as [(Int, Character)])
    func `two colours split at eighths of the width are drawn exactly`(eighths: Int, character: Character) {
        let cell = cell(.quadrant) { x, _ in x < eighths ? Self.red : Self.blue }
        #expect(cell.character == character)
        #expect(cell.foreground == Self.red)
        #expect(cell.background == Self.blue)
    }

    /// Four by five pixels are fewer than the eighths of a cell, 199 by 300 are more than 64 on a side.
    @Test(arguments: [(4, 5), (10, 20), (9, 17), (199, 300)])
    func `halves are recognized in cells of any size`(width: Int, height: Int) {
        let picture = Pictures.make(width, height) { x, _ in x * 2 < width ? Self.red : Self.blue }
        let cell = BlockPicture(picture, grid: GridSize(columns: 1, rows: 1))[0, 0]
        #expect(cell.character == "▌")
    }

    @Test func `the opposite arrangement swaps the colours`() {
        let cell = cell(.quadrant) { _, y in y < 12 ? Self.blue : Self.red }
        #expect(cell.character == "▀")
        #expect(cell.foreground == Self.blue)
        #expect(cell.background == Self.red)
    }

    @Test(arguments: BlockSet.allCases)
    func `a single colour is a space`(set: BlockSet) {
        let cell = cell(set) { _, _ in Self.red }
        #expect(cell.character == " ")
        #expect(cell.background == Self.red)
    }

    @Test func `similar colours are drawn as their mean`() {
        let nearRed = Color(red: 251, green: 0, blue: 0)
        let cell = cell(.quadrant) { x, y in y >= 12 ? Self.blue : x < 4 ? Self.red : nearRed }
        #expect(cell.character == "▀")
        #expect(cell.foreground == Color(red: 253, green: 0, blue: 0))
    }

    @Test(arguments: BlockSet.allCases)
    func `no other character of the set has a smaller error`(set: BlockSet) {
        let coverages = Dictionary(uniqueKeysWithValues: Glyphs.all(of: set).map { ($0, Glyphs.coverage(of: $0)) })
        for seed in 0..<60 {
            let noise = Pictures.noise(Glyphs.columns, Glyphs.rows, seed: UInt64(seed) &* 7919 &+ 1)
            let samples = [noise, Self.contrasting(noise), Self.faint(noise)][seed % 3]
            let cell = BlockPicture(samples, grid: GridSize(columns: 1, rows: 1), set: set)[0, 0]
            let errors = coverages.mapValues { Self.error(of: $0, samples) }
            let chosen = errors[cell.character] ?? .infinity
            let best = errors.values.min() ?? 0
            #expect(chosen <= best * 1.0001 + 1e-6, "seed \(seed)")
            // The colours are whole numbers, each at most a half from the mean.
            #expect(Self.error(Glyphs.drawn(cell), samples) <= best * 1.0001 + 8 * 24 * 3 * 0.25 + 1e-6, "seed \(seed)")
        }
    }

    @Test func `a larger set has a smaller error`() {
        let picture = Pictures.noise(40, 60)
        // The shades are for few colours.
        let errors = BlockSet.allCases.filter { $0 != .shades }.map { set in
            let blocks = BlockPicture(picture, grid: GridSize(columns: 10, rows: 5), set: set)
            return Self.error(Glyphs.drawn(blocks), picture.boxScaled(to: PixelSize(width: 80, height: 120)))
        }
        #expect(zip(errors, errors.dropFirst()).allSatisfy { $0 > $1 })
    }

    private func cell(_ set: BlockSet, _ color: (_ x: Int, _ y: Int) -> Color) -> BlockCell {
        BlockPicture(Self.samples(color), grid: GridSize(columns: 1, rows: 1), set: set)[0, 0]
    }

    private static func samples(_ color: (_ x: Int, _ y: Int) -> Color) -> PixelBuffer {
        Pictures.make(Glyphs.columns, Glyphs.rows, color)
    }

    private static func contrasting(_ noise: PixelBuffer) -> PixelBuffer {
        samples { x, y in noise[x, y].red < 128 ? noise[0, 0] : noise[1, 1] }
    }

    private static func faint(_ noise: PixelBuffer) -> PixelBuffer {
        samples { x, y in
            let color = noise[x, y]
            return Color(red: color.red >> 6, green: color.green >> 6, blue: color.blue >> 6)
        }
    }

    /// The sum of squared differences when the covered samples and the others each have their mean.
    private static func error(of coverage: [Bool], _ samples: PixelBuffer) -> Double {
        var sums = [SIMD4<Int>](repeating: .zero, count: 2)
        var squares = 0
        for (place, isCovered) in coverage.enumerated() {
            let color = samples[place % Glyphs.columns, place / Glyphs.columns]
            let values = SIMD4(Int(color.red), Int(color.green), Int(color.blue), 1)
            sums[isCovered ? 1 : 0] &+= values
            squares += (values &* values).wrappedSum() - 1
        }
        return sums.reduce(Double(squares)) { error, sum in
            error - Double((sum &* sum).wrappedSum() - sum.w * sum.w) / Double(max(1, sum.w))
        }
    }

    private static func error(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        zip(first.bytes, second.bytes).reduce(0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }
    }
}
