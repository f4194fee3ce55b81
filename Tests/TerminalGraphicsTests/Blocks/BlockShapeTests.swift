import Testing

@testable import TerminalGraphics

@Suite struct BlockShapeTests {
    /// From the code chart of Symbols for Legacy Computing.
    @Test(arguments: [
        (0b000001, 0x1FB00), (0b000010, 0x1FB01), (0b000011, 0x1FB02), (0b010100, 0x1FB13), (0b010110, 0x1FB14),
        (0b101001, 0x1FB27), (0b101011, 0x1FB28), (0b111110, 0x1FB3B),
    ])
    func sextantsHaveTheirCodePoints(pattern: Int, codePoint: UInt32) {
        #expect(BlockShape(sextants: pattern)?.character.unicodeScalars.map(\.value) == [codePoint])
    }

    @Test(arguments: [0b000000, 0b010101, 0b101010, 0b111111, -1, 64])
    func whatUnicodeLeavesOutIsNoSextant(pattern: Int) {
        #expect(BlockShape(sextants: pattern) == nil)
    }

    @Test func everyArrangementOccursOnceUpToItsOpposite() {
        let masks = BlockShape.all.map { Glyphs.coverage(of: $0.character) }
        let both = masks + masks.map { $0.map { !$0 } }
        #expect(Set(both).count == both.count)
        #expect(BlockShape.all.count == 38)
    }

    @Test func theCoverageIsThatOfTheCharacter() {
        for shape in BlockShape.all {
            #expect(shape.coverage == Glyphs.coverage(of: shape.character).filter { $0 }.count)
        }
    }

    @Test(arguments: BlockSet.allCases)
    func aSetHasItsOwnCharactersOnly(set: BlockSet) {
        let shapes = BlockShape.all.prefix(set.count)
        #expect(Set(shapes.map(\.character)).isSubset(of: Glyphs.all(of: set)))
        #expect(shapes.count * 2 >= Glyphs.all(of: set).count)
    }
}
