import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct DeflaterTests {
    @Test(arguments: [false, true], [1, 6, 9])
    func `stripes are compressed into one stream`(runsOnly: Bool, level: Int) async throws {
        for height in [0, 1, 63, 64, 129, 700] {
            let bytes = content(rows: 0..<height)
            let packed = await Deflater(level: level, runsOnly: runsOnly).packed(height: height, rows: content)
            #expect(try Unpacking.inflate(try #require(packed), count: bytes.count) == bytes)
        }
    }

    @Test func `repeated bytes are compressed`() async throws {
        let packed = await Deflater(level: 1).packed(height: 700) { [UInt8](repeating: 7, count: $0.count * 50) }
        #expect(try #require(packed).count < 700)
    }

    @Test func `the compression level is clamped`() {
        #expect(Deflater(level: -3).level == 1)
        #expect(Deflater(level: 30).level == 9)
    }

    private func content(rows: Range<Int>) -> [UInt8] {
        rows.flatMap { row in
            var numbers = SeededRandom(seed: UInt64(row) &* 77)
            return (0..<50).map { place in place < 30 ? 5 : UInt8(truncatingIfNeeded: numbers.next() >> 9) }
        }
    }
}
