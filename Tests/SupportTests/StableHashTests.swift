import AlcedoSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StableHashTests {
    /// The test vectors of FNV-1a, finalized by hand; other hashes would change the shards of every list.
    @Test func `the hash values never change`() {
        #expect(StableHash.hash("") == 0xEFD0_1F60_BA99_2926)
        #expect(StableHash.hash("a") == 0x82A2_A958_A9BE_CE5B)
        #expect(StableHash.hash("https://example.org/a.jpg") != StableHash.hash("https://example.org/b.jpg"))
    }

    @Test(arguments: [2, 3, 7, 16]) func `similar addresses are spread evenly`(parts: UInt64) {
        var counts: [UInt64: Int] = [:]
        for number in 0..<7000 { counts[StableHash.hash("https://example.org/\(number).jpg") % parts, default: 0] += 1 }
        let even = 7000 / Int(parts)
        #expect(counts.count == Int(parts))
        #expect(counts.values.allSatisfy { abs($0 - even) < even / 4 })
    }
}
