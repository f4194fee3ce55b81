/// Tells which of many texts were put in more than once; of about two in a hundred others it says so too.
///
/// A Bloom filter with counters of two bits: six bytes for each row of `capacity`, which puts in two texts. The counters
/// of a text lie in one line of the processor's cache.
struct RepeatFilter: Sendable, Equatable {
    private static let bytesPerRow = 6
    private static let probes = 3
    private static let lineBytes = 64

    /// Rows it is made for.
    let capacity: Int
    private let lines: Int
    private var bytes: [UInt8]

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        lines = self.capacity * Self.bytesPerRow / Self.lineBytes + 1
        bytes = [UInt8](repeating: 0, count: lines * Self.lineBytes)
    }

    mutating func insert(_ hashes: (UInt64, UInt64)?) {
        guard let hashes else { return }
        insert(hashes.0)
        insert(hashes.1)
    }

    private mutating func insert(_ hash: UInt64) {
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

    /// The upper half of a hash chooses the line, eight bits of the lower half each counter in it.
    private func place(_ hash: UInt64, _ probe: Int) -> (byte: Int, shift: UInt8) {
        let line = Int(((hash >> 32) &* UInt64(lines)) >> 32)
        let slot = Int(hash >> UInt64(probe * 8) & 0xFF)
        return (line * Self.lineBytes + slot / 4, UInt8(slot % 4) * 2)
    }
}

/// Hashes that are the same in every run.
enum TextHash {
    static func of(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64 = 0) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = seed ^ UInt64(bytes.count)
        var offset = 0
        while offset + 8 <= raw.count {
            hash = mixed(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < raw.count {
            tail = tail << 8 | UInt64(raw[offset])
            offset += 1
        }
        return mixed(hash ^ tail)
    }

    /// The finisher of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
