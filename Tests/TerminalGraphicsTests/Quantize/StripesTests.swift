import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct StripesTests {
    @Test(arguments: [0, 1, 5, 6, 7, 63, 64, 127, 128, 131, 256, 1001])
    func `stripes cover the length without gap or overlap`(length: Int) {
        for unit in [1, 6, 160] {
            let ranges = Stripes(of: length, unit: unit).ranges
            #expect(ranges.flatMap { Array($0) } == Array(0..<length))
            #expect(ranges.dropLast().allSatisfy { $0.count.isMultiple(of: unit) })
        }
    }

    @Test func `short lengths are not divided`() {
        #expect(Stripes(of: 127).ranges == [0..<127])
    }

    @Test func `there are at most four stripes`() {
        #expect(Stripes(of: 10_000).ranges.count == 4)
    }

    @Test func `results are in order`() async {
        let starts = await Stripes(of: 1000).map { $0.lowerBound }
        #expect(starts == [0, 250, 500, 750])
    }
}
