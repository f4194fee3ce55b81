import Raster
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct SixelLimitsTests {
    @Test func `the default limits suit silent terminals`() {
        #expect(SixelLimits().registers == 256)
        #expect(SixelLimits().maximumSize == PixelSize(width: 1000, height: 1000))
    }

    @Test func `the limits claimed by a terminal are clamped`() {
        let limits = SixelLimits(registers: 65536, maximumSize: PixelSize(width: .max, height: 0))
        #expect(limits.registers == 256)
        #expect(limits.maximumSize == PixelSize(width: SixelLimits.largestSide, height: 1))
        #expect(SixelLimits(registers: 0).registers == 2)
    }

    private let limits = SixelLimits(maximumSize: PixelSize(width: 100, height: 250), countsWholeBands: true)

    @Test(arguments: [(136, 132), (132, 132), (130, 130), (85, 84), (103, 103), (102, 102), (17, 12), (5, 5)])
    func `countsWholeBands keeps the last band within the rows of the picture`(height: Int, drawn: Int) {
        let cell = CellSize(width: 8, height: 17)
        let size = limits.drawnSize(of: PixelSize(width: 40, height: height), cell: cell)
        #expect(size == PixelSize(width: 40, height: drawn))
        #expect((size.height + 5) / 6 * 6 <= cell.cells(covering: PixelSize(width: 40, height: height)).rows * 17)
        #expect(cell.cells(covering: size).rows == (height + 16) / 17)
        #expect(SixelLimits().drawnSize(of: PixelSize(width: 40, height: height), cell: cell).height == height)
    }

    @Test func `a picture lower than a band is drawn unchanged in cells lower than a band`() {
        let size = PixelSize(width: 9, height: 4)
        #expect(limits.drawnSize(of: size, cell: CellSize(width: 3, height: 5)) == size)
    }

    @Test func `countsWholeBands gives upper tiles whole bands`() {
        let cell = CellSize(width: 8, height: 17)
        let tops = limits.parts(of: PixelSize(width: 40, height: 500), cell: cell).map(\.y.lowerBound)
        #expect(tops == [0, 204, 408])
        let small = SixelLimits(maximumSize: PixelSize(width: 100, height: 50), countsWholeBands: true)
        #expect(small.parts(of: PixelSize(width: 40, height: 60), cell: cell).map(\.y.lowerBound) == [0, 34])
    }
}
