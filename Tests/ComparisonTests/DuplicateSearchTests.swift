import Raster
import TestSupport
import Testing

@testable import AlcedoComparison

@Suite(.timeLimit(.minutes(1))) struct DuplicateSearchTests {
    private func row(_ id: Int64, content: Int64? = nil, hash: UInt64?, pixels: Int = 100, bytes: Int = 10)
        -> PictureRow
    {
        PictureRow(id: id, content: content ?? id, hash: hash, pixels: pixels, bytes: bytes)
    }

    @Test func `pictures with the same content are identical, the oldest first`() {
        let rows = [row(3, content: 1, hash: nil), row(2, content: 9, hash: nil), row(1, content: 1, hash: nil)]
        #expect(DuplicateSearch(rows).identical().map(\.ids) == [[1, 3]])
    }

    @Test func `the picture with the most pixels comes first among similar ones`() {
        let rows = [row(1, hash: 0xFF07, pixels: 50), row(2, hash: 0xFF00, pixels: 200), row(3, hash: ~0)]
        let group = DuplicateSearch.Group(distances: [0, 3], ids: [2, 1], spare: 10)
        #expect(DuplicateSearch(rows).similar(within: 6) == [group])
        #expect(DuplicateSearch(rows).similar(within: 2).isEmpty)
    }

    @Test func `a group follows a chain up to twice the distance`() {
        // Each is 4 bits from the next.
        let rows = (0..<5).map {
            row(Int64($0 + 1), hash: 0xFF_FF00_0000 | (1 << (4 * UInt64($0)) - 1), pixels: 9 - $0)
        }
        #expect(DuplicateSearch(rows).similar(within: 4).map(\.ids) == [[1, 2, 3], [4, 5]])
        #expect(DuplicateSearch(rows).similar(within: 8).map(\.ids) == [[1, 2, 3, 4, 5]])
        #expect(DuplicateSearch(rows).similar(within: 3).isEmpty)
    }

    @Test func `the nearest pictures are together at every distance`() {
        // The best picture is 8 bits from both of a pair that differs in 1 bit.
        let rows = [
            row(1, hash: 0xF0F0_0000, pixels: 9), row(2, hash: 0xF0F0_00FF, pixels: 8),
            row(3, hash: 0xF0F0_01FF, pixels: 7),
            row(4, hash: 0xF0F0_FF00, pixels: 6), row(5, hash: 0xF0F1_FF00, pixels: 5),
        ]
        for distance in [1, 6, 8, 10, 15] {
            let groups = DuplicateSearch(rows).similar(within: distance).map(\.ids)
            for pair in [[2, 3], [4, 5]] as [[Int64]] {
                #expect(groups.contains { Set($0).isSuperset(of: pair) }, "\(distance)")
            }
        }
    }

    @Test func `a long chain is divided, too`() {
        let rows = (0..<3000).map { row(Int64($0 + 1), hash: 0xFFFF << 48 | UInt64($0), pixels: 9000 - $0) }
        let groups = DuplicateSearch(rows).similar(within: 2).map(\.ids)
        #expect(groups.reduce(0) { $0 + $1.count } > 2900 && groups[0].contains(1))
    }

    @Test func `turned pictures are similar if that is asked for`() {
        let hash: UInt64 = 0x99E5_FC37_3238_31A4
        let turned = PerceptualHash(bits: hash).turned
        for (index, other) in turned.enumerated().dropFirst() {
            let rows = [row(1, hash: hash, pixels: 200), row(2, hash: other.bits ^ 1)]
            #expect(DuplicateSearch(rows).similar(within: 6).isEmpty, "\(index)")
            #expect(
                DuplicateSearch(rows).similar(within: 6, isTurned: true)
                    == [DuplicateSearch.Group(distances: [0, 1], ids: [1, 2], spare: 10)])
        }
    }

    @Test func `flat pictures are not similar`() {
        #expect(
            DuplicateSearch([row(1, hash: 1 << 63), row(2, hash: 1 << 63), row(3, hash: 0)]).similar(within: 6).isEmpty)
    }

    @Test func `equal content is not similar, and many pictures may share one hash`() {
        #expect(
            DuplicateSearch([row(1, content: 5, hash: 0xFF), row(2, content: 5, hash: 0xFF)]).similar(within: 6).isEmpty
        )
        let blank = (1...5000).map { row($0, hash: 0xFF) }
        #expect(DuplicateSearch(blank).similar(within: 6).map(\.ids.count) == [5000])
    }

    @Test func `pictures without a hash are not similar`() {
        #expect(DuplicateSearch([row(1, hash: nil), row(2, hash: nil)]).similar(within: 15).isEmpty)
    }
}
