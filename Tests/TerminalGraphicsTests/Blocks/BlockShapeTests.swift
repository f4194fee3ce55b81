import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct BlockShapeTests {
    /// From the code chart of Symbols for Legacy Computing.
    @Test(arguments: [
        (0b000001, 0x1FB00), (0b000010, 0x1FB01), (0b000011, 0x1FB02), (0b010100, 0x1FB13), (0b010110, 0x1FB14),
        (0b101001, 0x1FB27), (0b101011, 0x1FB28), (0b111110, 0x1FB3B),
    ])
    func `sextants have their code points`(pattern: Int, codePoint: UInt32) {
        #expect(BlockShape(sextants: pattern)?.character.unicodeScalars.map(\.value) == [codePoint])
    }

    @Test(arguments: [0b000000, 0b010101, 0b101010, 0b111111, -1, 64])
    func `patterns without a sextant character are nil`(pattern: Int) {
        #expect(BlockShape(sextants: pattern) == nil)
    }

    @Test func `every arrangement occurs once, counting opposites as one`() {
        let masks = solid.map { Glyphs.coverage(of: $0.character) }
        let both = masks + masks.map { $0.map { !$0 } }
        #expect(Set(both).count == both.count)
        #expect(BlockShape.all.count == 55)
    }

    @Test func `the sum of a shape equals the sum over the pixels of its character`() {
        let noise = Pictures.noise(Glyphs.columns, Glyphs.rows)
        withUnsafeTemporaryAllocation(of: BlockParts.Sum.self, capacity: BlockParts.count) { memory in
            var parts = BlockParts(memory)
            let columnParts = (0..<8).map { UInt8($0) }
            noise.bytes.withUnsafeBytes { bytes in
                columnParts.withUnsafeBufferPointer { parts.collect(bytes, width: 8, 0..<8, 0..<24, $0) }
            }
            for shape in solid {
                #expect(parts.sum(of: shape.area) == sum(noise, Glyphs.coverage(of: shape.character)))
            }
        }
    }

    @Test(arguments: BlockSet.allCases)
    func `a set contains only its own characters`(set: BlockSet) {
        let shapes = BlockShape.all.prefix(set.count)
        #expect(Set(shapes.map(\.character)).isSubset(of: Glyphs.all(of: set)))
        #expect(shapes.count * 2 >= Glyphs.all(of: set).count)
    }

    @Test func `dots are indexed by the covered quarters of a cell`() {
        #expect((0...2).map { BlockShape.all[BlockShape.dots($0)].character } == [" ", "░", "▒"])
        #expect((1...2).allSatisfy { Glyphs.shades[BlockShape.all[BlockShape.dots($0)].character] == $0 })
    }

    @Test func `the solid shapes have an opposite, the others have none`() {
        let coverages = BlockShape.all.map { Glyphs.coverage(of: $0.character) }
        for shape in BlockShape.solid.indices {
            let opposite = BlockShape.opposite(of: shape)
            #expect((opposite == nil) == (shape >= BlockSet.half.count))
            if let opposite { #expect(coverages[opposite] == coverages[shape].map { !$0 }) }
        }
        #expect(BlockShape.all[BlockShape.full].character == "█")
    }

    private var solid: [BlockShape] { BlockShape.solid }

    private func sum(_ picture: PixelBuffer, _ coverage: [Bool]) -> BlockParts.Sum {
        coverage.indices.filter { coverage[$0] }.reduce(.zero) { sum, place in
            let pixel = picture.bytes[place * 4..<place * 4 + 4].map { Int32($0) }
            return sum &+ BlockParts.Sum(pixel[0], pixel[1], pixel[2], pixel[3])
        }
    }
}
