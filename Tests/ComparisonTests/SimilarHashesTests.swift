import TestSupport
import Testing

@testable import AlcedoComparison

@Suite(.timeLimit(.minutes(1))) struct SimilarHashesTests {
    @Test(arguments: [0, 1, 3, 6, 8, 15]) func `each pair within the distance is found once`(distance: Int) {
        var random = SeededRandom()
        var hashes = (0..<300).map { _ in UInt64.random(in: .min ... .max, using: &random) }
        for bits in 0..<18 {
            for _ in 0..<10 {
                var hash = hashes[Int.random(in: 0..<300, using: &random)]
                for _ in 0..<bits { hash ^= 1 << UInt64.random(in: 0..<64, using: &random) }
                hashes.append(hash)
            }
        }
        var found: [[Int]] = []
        SimilarHashes.forEachPair(in: hashes, within: distance) { found.append([min($0, $1), max($0, $1)]) }
        let expected = hashes.indices.flatMap { left in
            hashes.indices[(left + 1)...].filter { (hashes[left] ^ hashes[$0]).nonzeroBitCount <= distance }
                .map { [left, $0] }
        }
        #expect(!expected.isEmpty && found.sorted { $0.lexicographicallyPrecedes($1) } == expected)
    }

    @Test func `zero or one hash gives no pair`() {
        for hashes in [[], [7]] as [[UInt64]] {
            SimilarHashes.forEachPair(in: hashes, within: 6) { _, _ in Issue.record("a pair") }
        }
    }
}
