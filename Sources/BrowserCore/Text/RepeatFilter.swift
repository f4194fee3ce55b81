/// Tells which of many texts were put in more than once; of one in a hundred others it says so too.
///
/// A Bloom filter with counters of two bits: six bytes for each row of `capacity`, which puts in two texts.
struct RepeatFilter: Sendable, Equatable {
    private static let slotsPerRow = 24
    private static let probes = 3

    /// Rows it is made for.
    let capacity: Int
    private var bytes: [UInt8]

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        bytes = [UInt8](repeating: 0, count: self.capacity * Self.slotsPerRow / 4)
    }

    mutating func insert(_ hash: UInt64) {
        for probe in 0..<Self.probes {
            let (byte, shift) = place(hash, probe)
            let count = bytes[byte] >> shift & 3
            if count < 2 { bytes[byte] += 1 << shift }
        }
    }

    func repeats(_ hash: UInt64) -> Bool {
        (0..<Self.probes).allSatisfy { probe in
            let (byte, shift) = place(hash, probe)
            return bytes[byte] >> shift & 3 > 1
        }
    }

    private func place(_ hash: UInt64, _ probe: Int) -> (byte: Int, shift: UInt8) {
        let mixed = TextHash.mixed(hash &+ UInt64(probe) &* 0x9E37_79B9_7F4A_7C15)
        let slot = Int(((mixed >> 32) &* UInt64(bytes.count * 4)) >> 32)
        return (slot / 4, UInt8(slot % 4) * 2)
    }
}

/// Hashes that are the same in every run.
enum TextHash {
    static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
        // FNV-1a.
        var hash = 0xCBF2_9CE4_8422_2325 ^ seed
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
