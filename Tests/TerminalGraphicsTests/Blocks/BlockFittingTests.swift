import Raster
import Testing

@testable import TerminalGraphics

@Suite struct BlockFittingTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    @Test(arguments: [
        ("rrbb", "▀"), ("rbrb", "▌"), ("rbbb", "▘"), ("brbb", "▝"), ("bbrb", "▖"), ("bbbr", "▗"), ("rbbr", "▚"),
    ])
    func twoColorsAreExactInEveryArrangementOfQuarters(pixels: String, character: Character) {
        let colors = pixels.map { $0 == "r" ? Self.red : Self.blue }
        let cell = cell(.quadrant) { x, y in colors[y / 3 * 2 + x] }
        #expect(cell.character == character)
        #expect(cell.foreground == Self.red)
        #expect(cell.background == Self.blue)
    }

    @Test func twoColorsAreExactInEveryArrangementOfSixths() {
        for pattern in 0..<64 {
            let samples = Self.samples { x, y in pattern >> (y / 2 * 2 + x) & 1 == 1 ? Self.red : Self.blue }
            let cell = BlockPicture(samples, grid: GridSize(columns: 1, rows: 1), set: .sextant)[0, 0]
            #expect(Glyphs.drawn(cell) == samples, "pattern \(pattern)")
        }
    }

    @Test func theOppositeArrangementExchangesTheColors() {
        let cell = cell(.quadrant) { _, y in y < 3 ? Self.blue : Self.red }
        #expect(cell.character == "▀")
        #expect(cell.foreground == Self.blue)
        #expect(cell.background == Self.red)
    }

    @Test(arguments: BlockSet.allCases)
    func oneColorIsASpace(set: BlockSet) {
        let cell = cell(set) { _, _ in Self.red }
        #expect(cell.character == " ")
        #expect(cell.background == Self.red)
    }

    @Test func nearColorsShareTheirMean() {
        let nearRed = Color(red: 251, green: 0, blue: 0)
        let cell = cell(.quadrant) { x, y in y >= 3 ? Self.blue : x == 0 ? Self.red : nearRed }
        #expect(cell.character == "▀")
        #expect(cell.foreground == Color(red: 253, green: 0, blue: 0))
    }

    @Test(arguments: BlockSet.allCases)
    func noOtherCharacterOfTheSetComesNearer(set: BlockSet) {
        for seed in 0..<150 {
            let noise = Pictures.noise(BlockFitting.columns, BlockFitting.rows, seed: UInt64(seed) &* 7919 &+ 1)
            let samples = [noise, Self.contrasting(noise), Self.faint(noise)][seed % 3]
            let cell = BlockPicture(samples, grid: GridSize(columns: 1, rows: 1), set: set)[0, 0]
            let chosen = Self.error(of: Glyphs.coverage(of: cell.character), samples)
            let best = Glyphs.all(of: set).map { Self.error(of: Glyphs.coverage(of: $0), samples) }.min() ?? 0
            #expect(chosen <= best + 1e-6, "seed \(seed)")
            // The colours are whole numbers, each at most a half from the mean.
            #expect(Self.error(Glyphs.drawn(cell), samples) <= best + 12 * 3 * 0.25 + 1e-6, "seed \(seed)")
        }
    }

    @Test func aLargerSetComesNearer() {
        let picture = Pictures.noise(40, 60)
        let errors = BlockSet.allCases.map { set in
            let blocks = BlockPicture(picture, grid: GridSize(columns: 10, rows: 5), set: set)
            return Self.error(Glyphs.drawn(blocks), picture.boxScaled(to: PixelSize(width: 20, height: 30)))
        }
        #expect(zip(errors, errors.dropFirst()).allSatisfy { $0 > $1 })
    }

    private func cell(_ set: BlockSet, _ color: (_ x: Int, _ y: Int) -> Color) -> BlockCell {
        BlockPicture(Self.samples(color), grid: GridSize(columns: 1, rows: 1), set: set)[0, 0]
    }

    private static func samples(_ color: (_ x: Int, _ y: Int) -> Color) -> PixelBuffer {
        Pictures.make(BlockFitting.columns, BlockFitting.rows, color)
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
        [true, false].reduce(0) { sum, side in
            let places = coverage.indices.filter { coverage[$0] == side }
            return sum
                + (0..<3).reduce(0) { sum, channel in
                    let values = places.map { Double(samples.bytes[$0 * 4 + channel]) }
                    let mean = values.reduce(0, +) / Double(max(1, values.count))
                    return sum + values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
                }
        }
    }

    private static func error(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        zip(first.bytes, second.bytes).reduce(0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }
    }
}
