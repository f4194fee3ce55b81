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
        let rows = [row(1, hash: 0b111, pixels: 50), row(2, hash: 0, pixels: 200), row(3, hash: ~0)]
        let group = DuplicateSearch.Group(distances: [0, 3], ids: [2, 1], spare: 10)
        #expect(DuplicateSearch(rows).similar(within: 6) == [group])
        #expect(DuplicateSearch(rows).similar(within: 2).isEmpty)
    }

    @Test func `similar groups do not chain beyond the distance`() {
        // Each is 4 bits from the next; the first and the third are 8 apart.
        let rows = [row(1, hash: 0, pixels: 9), row(2, hash: 0xF, pixels: 8), row(3, hash: 0xFF, pixels: 7)]
        #expect(DuplicateSearch(rows).similar(within: 6).map(\.ids) == [[1, 2]])
    }

    @Test func `equal content is not similar, and many pictures may share one hash`() {
        #expect(DuplicateSearch([row(1, content: 5, hash: 7), row(2, content: 5, hash: 7)]).similar(within: 6).isEmpty)
        let blank = (1...5000).map { row($0, hash: 0) }
        #expect(DuplicateSearch(blank).similar(within: 6).map(\.ids.count) == [5000])
    }

    @Test func `pictures without a hash are not similar`() {
        #expect(DuplicateSearch([row(1, hash: nil), row(2, hash: nil)]).similar(within: 15).isEmpty)
    }
}
