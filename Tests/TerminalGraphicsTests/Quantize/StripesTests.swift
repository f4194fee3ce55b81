import Testing

@testable import TerminalGraphics

@Suite struct StripesTests {
    @Test(arguments: [0, 1, 5, 6, 7, 63, 64, 127, 128, 131, 256, 1001])
    func stripesCoverTheLengthWithoutGapOrOverlap(length: Int) {
        for unit in [1, 6, 160] {
            let ranges = Stripes(of: length, unit: unit).ranges
            #expect(ranges.flatMap { Array($0) } == Array(0..<length))
            #expect(ranges.dropLast().allSatisfy { $0.count.isMultiple(of: unit) })
        }
    }

    @Test func shortLengthsAreNotDivided() {
        #expect(Stripes(of: 127).ranges == [0..<127])
    }

    @Test func thereAreNoMoreThanAskedFor() {
        #expect(Stripes(of: 10_000, maximumCount: 4).ranges.count == 4)
    }

    @Test func resultsComeInOrder() async {
        let starts = await Stripes(of: 1000).map { $0.lowerBound }
        #expect(starts == [0, 250, 500, 750])
    }
}
