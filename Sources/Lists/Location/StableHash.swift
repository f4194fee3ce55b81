/// A 64-bit number for a text, the same on every machine and in every version.
///
/// FNV-1a (RFC 9923) over the UTF-8 bytes, mixed at the end as MurmurHash3 does so that every bit counts: FNV's own low
/// bits are those of the last bytes. It is for dividing and recognising, not for secrets: texts can be made to collide.
public enum StableHash {
    /// The number.
    public static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { mixed($0.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }) }
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
