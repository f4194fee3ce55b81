import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct GIFCodesTests {
    /// Packs codes from the lowest bit on, each of its own length.
    private func packed(_ codes: [(Int, Int)]) -> [UInt8] {
        var (bits, bytes): ([Int], [UInt8]) = ([], [])
        for (code, length) in codes { bits += (0..<length).map { code >> $0 & 1 } }
        for start in stride(from: 0, to: bits.count, by: 8) {
            bytes.append(bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | UInt8($1.1) << $1.0 })
        }
        return bytes
    }

    private func indices(_ codes: [(Int, Int)], count: Int, bits: Int = 2) -> [UInt8]? {
        let indices = GIFCodes(bits: bits, bytes: packed(codes)).indices(count)
        return indices.damage == nil ? indices.values : nil
    }

    @Test func `LZW codes are decoded to their strings`() {
        // 4 clears, 5 ends; 6 is 1 1, 7 is 1 1 1, and from there on codes have four bits.
        #expect(indices([(4, 3), (1, 3), (6, 3), (7, 3), (2, 4), (5, 4)], count: 7) == [1, 1, 1, 1, 1, 1, 2])
    }

    @Test func `a clear code resets the table`() {
        #expect(indices([(4, 3), (1, 3), (2, 3), (4, 3), (3, 3), (0, 3)], count: 4) == [1, 2, 3, 0])
        #expect(indices([(4, 3), (1, 3), (2, 3), (4, 3), (6, 3)], count: 4) == nil)
    }

    @Test func `codes after the last pixel are ignored`() {
        #expect(indices([(4, 3), (1, 3), (6, 3), (7, 3)], count: 4) == [1, 1, 1, 1])
    }

    @Test func `invalid codes give no pixels`() {
        #expect(indices([(4, 3), (6, 3)], count: 1) == nil)
        #expect(indices([(4, 3), (1, 3), (7, 3)], count: 3) == nil)
        #expect(indices([(4, 3), (1, 3), (5, 3)], count: 2) == nil)
        #expect(indices([(4, 3), (1, 3)], count: 2) == nil)
        #expect(GIFCodes(bits: 12, bytes: [0, 0]).indices(1).damage != nil)
        #expect(GIFCodes(bits: 0, bytes: [0, 0]).indices(1).damage != nil)
    }
}
