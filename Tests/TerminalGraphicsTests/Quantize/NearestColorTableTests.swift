import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct NearestColorTableTests {
    @Test(arguments: [1, 2, 3, 16, 100, 256])
    func `every cell contains the colour nearest to its centre`(count: Int) {
        var numbers = SeededRandom(seed: UInt64(count))
        let colors = (0..<count).map { _ in
            Color(
                red: .random(in: 0...255, using: &numbers), green: .random(in: 0...255, using: &numbers),
                blue: .random(in: 0...255, using: &numbers))
        }
        let table = NearestColorTable(colors: colors)
        for _ in 0..<3000 {
            let cell = SIMD3<Int>(
                .random(in: 0..<64, using: &numbers), .random(in: 0..<64, using: &numbers),
                .random(in: 0..<64, using: &numbers))
            let found = Int(table.indices[cell.x << 12 | cell.y << 6 | cell.z])
            let least = colors.map { distance($0, cell) }.min()
            #expect(distance(colors[found], cell) == least)
        }
    }

    @Test func `the subscript finds the cell of a color`() {
        let table = NearestColorTable(colors: [.black, Color(red: 255, green: 0, blue: 0), .white])
        #expect(table[250, 10, 10] == 1)
        #expect(table[250, 250, 250] == 2)
        #expect(table[3, 3, 3] == 0)
    }

    @Test func `without colours the table is zero`() {
        #expect(NearestColorTable(colors: []).indices.allSatisfy { $0 == 0 })
    }

    /// The squared distance to the middle of a cell, in halves of an intensity.
    private func distance(_ color: Color, _ cell: SIMD3<Int>) -> Int {
        let middle = cell &* 8 &+ 3
        let difference = SIMD3(Int(color.red), Int(color.green), Int(color.blue)) &* 2 &- middle
        return (difference &* difference).wrappedSum()
    }
}
