/// Finds all pairs of perceptual hashes within a distance of each other.
///
/// Multi-index hashing: a hash is cut into four blocks of 16 bits. If two hashes differ in at most d = 4 q + r bits, one
/// of their first r + 1 blocks differs in at most q bits, or one of the others in at most q − 1. So only hashes with such
/// a block are compared. They are compared bucket by bucket, because a bucket fits into the processor's cache.
/// Source: Norouzi, Punjani, Fleet, "Fast Search in Hamming Space with Multi-Index Hashing" (CVPR 2012), section 3.
package enum SimilarHashes {
    private static let blocks = 4
    private static let blockValues = 1 << 16

    /// Calls `body` once with the indices of each pair that differs in at most `distance` bits, 0 to 15, in no order.
    ///
    /// Memory: 12 bytes for each hash.
    package static func forEachPair(
        in hashes: [UInt64], within distance: Int, _ body: (_ first: Int, _ second: Int) -> Void
    ) {
        let distance = min(max(0, distance), 15)
        let (quotient, rest) = distance.quotientAndRemainder(dividingBy: blocks)
        let radii = (0..<blocks).map { $0 <= rest ? quotient : quotient - 1 }
        for block in 0..<blocks where radii[block] >= 0 {
            let masks = (0..<blockValues).filter { $0.nonzeroBitCount <= radii[block] }
            let buckets = Buckets(hashes, block)
            buckets.forEachPair(masks, within: distance) { left, right, difference in
                // Several blocks may be near enough; only the first of them reports the pair.
                let isFirst = (0..<block).allSatisfy { value(difference, $0).nonzeroBitCount > radii[$0] }
                if isFirst { body(left, right) }
            }
        }
    }

    /// The hashes sorted by the value of a block.
    private struct Buckets {
        private var hashes: [UInt64]
        private var indices: [Int32]
        /// The index at which the hashes of each value begin.
        private var starts: [Int32]

        init(_ all: [UInt64], _ block: Int) {
            starts = [Int32](repeating: 0, count: blockValues + 1)
            for hash in all { starts[value(hash, block) + 1] += 1 }
            for value in 0..<blockValues { starts[value + 1] += starts[value] }
            var next = starts
            hashes = [UInt64](repeating: 0, count: all.count)
            indices = [Int32](repeating: 0, count: all.count)
            for (index, hash) in all.enumerated() {
                let place = Int(next[value(hash, block)])
                next[value(hash, block)] += 1
                (hashes[place], indices[place]) = (hash, Int32(index))
            }
        }

        @inline(__always)
        func forEachPair(
            _ masks: [Int], within distance: Int, _ body: (_ left: Int, _ right: Int, _ difference: UInt64) -> Void
        ) {
            hashes.withUnsafeBufferPointer { hashes in
                for value in 0..<blockValues where starts[value] < starts[value + 1] {
                    for mask in masks where value ^ mask >= value {
                        let others = Int(starts[value ^ mask])..<Int(starts[(value ^ mask) + 1])
                        for left in Int(starts[value])..<Int(starts[value + 1]) {
                            let hash = hashes[left]
                            for right in mask == 0 ? left + 1..<others.upperBound : others {
                                let difference = hash ^ hashes[right]
                                if difference.nonzeroBitCount <= distance {
                                    body(Int(indices[left]), Int(indices[right]), difference)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func value(_ hash: UInt64, _ block: Int) -> Int { Int(hash >> UInt64(block * 16) & 0xFFFF) }
}
