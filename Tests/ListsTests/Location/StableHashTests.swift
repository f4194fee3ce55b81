import Lists
import Testing

struct StableHashTests {
    /// FNV-1a's own test vectors, mixed by hand: other numbers would move every list's shards.
    @Test func theNumbersNeverChange() {
        #expect(StableHash.hash("") == 0xEFD0_1F60_BA99_2926)
        #expect(StableHash.hash("a") == 0x82A2_A958_A9BE_CE5B)
        #expect(StableHash.hash("https://example.org/a.jpg") != StableHash.hash("https://example.org/b.jpg"))
    }

    @Test(arguments: [2, 3, 7, 16]) func addressesThatDifferLittleAreSpreadEvenly(parts: UInt64) {
        var counts: [UInt64: Int] = [:]
        for number in 0..<7000 { counts[StableHash.hash("https://example.org/\(number).jpg") % parts, default: 0] += 1 }
        let even = 7000 / Int(parts)
        #expect(counts.count == Int(parts))
        #expect(counts.values.allSatisfy { abs($0 - even) < even / 4 })
    }
}
