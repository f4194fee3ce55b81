/// A 64-bit hash of a text that is the same on every machine and in every version.
///
/// FNV-1a (RFC 9923) over the UTF-8 bytes, then MurmurHash3's finalizer: without it, the lowest bits would depend only
/// on the lowest bits of each byte. Meant for sharding and file names, not for security: collisions are easy to make.
package enum StableHash {
    package static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { finalize($0.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }) }
    }

    private static func finalize(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
