import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct BlockPaletteTests {
    private static let grid = GridSize(columns: 12, rows: 5)

    /// A sky at noon: pale at the horizon, deep blue above.
    private static let sky = slope(Color(red: 58, green: 110, blue: 178), Color(red: 196, green: 220, blue: 240))
    /// An aurora at night: navy, teal and green.
    private static let aurora = slope(Color(red: 14, green: 16, blue: 46), Color(red: 40, green: 150, blue: 120))
    /// A face in soft light.
    private static let skin = slope(Color(red: 232, green: 190, blue: 160), Color(red: 120, green: 72, blue: 54))

    /// Dark and bright halves of cells, in all four directions.
    private static let halves = Pictures.make(24, 10) { x, y in
        let isFirst = (x / 4 % 2 == 0 ? x : y) % 2 == 0
        return isFirst == (x / 8 % 2 == 0) ? Color(red: 160, green: 0, blue: 0) : .white
    }

    private static let areas = ["sky": sky, "aurora": aurora, "skin": skin]

    private static func slope(_ above: Color, _ below: Color) -> PixelBuffer {
        Pictures.make(grid.columns * 10, grid.rows * 20) { x, y in
            let share = (Double(y) + Double(x) / 8) / Double(grid.rows * 20 + grid.columns * 10 / 8)
            func mixed(_ first: UInt8, _ second: UInt8) -> UInt8 {
                UInt8((Double(first) * (1 - share) + Double(second) * share).rounded())
            }
            return Color(
                red: mixed(above.red, below.red), green: mixed(above.green, below.green),
                blue: mixed(above.blue, below.blue))
        }
    }

    /// A difference of 20 thousandths can just be seen.
    @Test(arguments: ["sky", "aurora", "skin"])
    func `a smooth area keeps its mean hue in 256 colours`(name: String) throws {
        let picture = try #require(Self.areas[name])
        #expect(Self.hueError(Self.drawn(picture, .palette256), picture) < 10)
    }

    @Test(arguments: ["sky", "aurora", "skin"])
    func `a smooth area is close to its mean hue in 16 colours`(name: String) throws {
        let picture = try #require(Self.areas[name])
        #expect(Self.hueError(Self.drawn(picture, .palette16), picture) < 40)
    }

    @Test(arguments: [(ColorDepth.palette256, 3.0), (.palette16, 4.0)])
    func `shades have a smaller error than the nearest colours`(depth: ColorDepth, decibels: Double) {
        for picture in [Self.sky, Self.aurora, Self.skin, Pictures.slopes(120, 100)] {
            let flat = BlockPicture(picture, grid: Self.grid, set: .ascii, depth: depth)
            let gain = Self.ratio(Self.drawn(picture, depth), picture) - Self.ratio(Glyphs.drawn(flat), picture)
            #expect(gain > decibels)
        }
    }

    @Test(arguments: [ColorDepth.palette256, .palette16])
    func `only cells that change between frames are drawn differently`(depth: ColorDepth) {
        let first = BlockPicture(Self.sky, grid: Self.grid, depth: depth)
        var changed = Self.sky
        changed.withMutableBytes { bytes in
            for y in 40..<60 { for x in 50..<60 { bytes[(y * 120 + x) * 4] = 255 } }
        }
        let second = BlockPicture(changed, grid: Self.grid, depth: depth)
        #expect(first == BlockPicture(Self.sky, grid: Self.grid, depth: depth))
        let places = first.cells.indices.filter { first.cells[$0] != second.cells[$0] }
        #expect(places == [2 * Self.grid.columns + 5])
    }

    @Test(arguments: [ColorDepth.palette256, .palette16])
    func `a palette colour is drawn unchanged`(depth: ColorDepth) {
        for color in depth == .palette16 ? XtermPalette.named : XtermPalette.cubeAndGreys {
            let picture = Pictures.make(8, 8) { _, _ in color }
            let cell = BlockPicture(picture, grid: GridSize(columns: 1, rows: 1), depth: depth)[0, 0]
            #expect(cell.character == " " && cell.background == color)
        }
    }

    @Test(arguments: [ColorDepth.palette256, .palette16], BlockSet.allCases)
    func `every set but ASCII uses shades, and all colours are in the palette`(depth: ColorDepth, set: BlockSet) {
        let cells = BlockPicture(Pictures.slopes(120, 100), grid: Self.grid, set: set, depth: depth).cells
        #expect(cells.contains { Glyphs.shades[$0.character] != nil } == (set != .ascii))
        let colors = Set(depth == .palette16 ? XtermPalette.named : XtermPalette.cubeAndGreys)
        #expect(cells.allSatisfy { colors.contains($0.background) && colors.contains($0.foreground) })
    }

    @Test(arguments: BlockSet.allCases)
    func `on the Linux console backgrounds are dark and only known blocks are used`(set: BlockSet) {
        let pictures = [
            Self.sky, Self.aurora, Self.skin, Pictures.slopes(120, 100), Pictures.noise(24, 10), Self.halves,
        ]
        var characters: Set<Character> = []
        for picture in pictures {
            let cells = BlockPicture(picture, grid: Self.grid, set: set, depth: .console).cells
            characters.formUnion(cells.map(\.character))
            #expect(cells.allSatisfy { BlockPalette.consoleNames.prefix(8).contains($0.background) })
            #expect(cells.allSatisfy { BlockPalette.consoleNames.contains($0.foreground) })
        }
        switch set {
        case .ascii: #expect(characters == [" "])
        case .shades: #expect(characters == [" ", "█", "░", "▒"])
        case .half: #expect(characters.union([" "]) == [" ", "█", "░", "▒", "▀", "▄", "▌", "▐"])
        case .quadrant, .sextant: #expect(characters.isSuperset(of: ["█", "▄", "▘"]))
        }
    }

    @Test func `on the Linux console a half block has the brighter colour in front`() {
        let (dark, bright) = (BlockPalette.consoleNames[1], BlockPalette.consoleNames[14])
        for (isDarkFirst, character) in [(false, "▌"), (true, "▐")] as [(Bool, Character)] {
            let picture = Pictures.make(8, 8) { x, _ in (x < 4) == isDarkFirst ? dark : bright }
            let blocks = BlockPicture(picture, grid: GridSize(columns: 1, rows: 1), set: .half, depth: .console)
            #expect(blocks[0, 0].character == character)
            #expect(blocks[0, 0].foreground == bright && blocks[0, 0].background == dark)
        }
    }

    @Test func `colours of the Linux console are drawn unchanged`() {
        for color in BlockPalette.consoleNames {
            let picture = Pictures.make(8, 8) { _, _ in color }
            let blocks = BlockPicture(picture, grid: GridSize(columns: 1, rows: 1), set: .shades, depth: .console)
            #expect(Glyphs.drawn(blocks).bytes.prefix(3).elementsEqual([color.red, color.green, color.blue]))
        }
    }

    @Test func `half blocks and shades have a smaller error than spaces on the Linux console`() {
        for picture in [Self.sky, Self.aurora, Self.skin, Pictures.slopes(120, 100)] {
            let ratios = [BlockSet.ascii, .shades, .half].map { set in
                let blocks = BlockPicture(picture, grid: Self.grid, set: set, depth: .console)
                return Self.ratio(Glyphs.drawn(blocks), picture)
            }
            #expect(ratios[1] > ratios[0] + 2 && ratios[2] >= ratios[1] - 0.1, "\(ratios)")
        }
    }

    @Test func `an edge keeps its shape and gets the nearest palette colours`() {
        let picture = Pictures.make(8, 8) { x, _ in
            x < 4 ? Color(red: 250, green: 4, blue: 3) : Color(red: 2, green: 3, blue: 250)
        }
        let cell = BlockPicture(picture, grid: GridSize(columns: 1, rows: 1), depth: .palette256)[0, 0]
        #expect(cell.character == "▌")
        #expect(cell.foreground == Color(red: 255, green: 0, blue: 0))
        #expect(cell.background == Color(red: 0, green: 0, blue: 255))
    }

    @Test func `the table finds the nearest paint`() {
        let table = PaintTable(XtermPalette.named, levels: [0, 255])
        let points = XtermPalette.named.map { Oklab($0) }
        let noise = Pictures.noise(20, 20)
        for place in 0..<400 {
            let color = noise[place % 20, place / 20]
            let values = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 0)
            let least = points.map { $0.squaredDistance(to: Oklab(color)) }.min() ?? 0
            let found = table.nearest(to: values, Oklab(color), mixing: false, below: .infinity)
            #expect(found?.cost == least)
            #expect(table.nearest(to: values, Oklab(color), mixing: false, below: least) == nil)
        }
    }

    private static func drawn(_ picture: PixelBuffer, _ depth: ColorDepth) -> PixelBuffer {
        Glyphs.drawn(BlockPicture(picture, grid: grid, depth: depth))
    }

    private static func ratio(_ drawn: PixelBuffer, _ picture: PixelBuffer) -> Double {
        Blur.ratio(drawn, picture.boxScaled(to: drawn.size))
    }

    /// The distance between the means of green to red and blue to yellow, in thousandths of Oklab's units; the mean of
    /// four stripes.
    private static func hueError(_ drawn: PixelBuffer, _ picture: PixelBuffer) -> Float {
        let stripes = PixelSize(width: 1, height: 4)
        let (first, second) = (drawn.boxScaled(to: stripes), picture.boxScaled(to: stripes))
        let errors = (0..<4).map { stripe in
            let difference = Oklab(first[0, stripe]).values - Oklab(second[0, stripe]).values
            return (difference.y * difference.y + difference.z * difference.z).squareRoot() * 1000
        }
        return errors.reduce(0, +) / 4
    }
}
