import Foundation
import Raster

/// A PNG of a given length, no two alike: a picture of 64 × 48 pixels and a chunk of noise that decoders pass over.
enum NoisyPicture {
    static func png(bytes: Int, seed: inout UInt64) -> Data {
        let header = chunk("IHDR", be(64) + be(48) + [8, 0, 0, 0, 0])
        var rows: [UInt8] = []
        for _ in 0..<48 { rows += [0] + (0..<64).map { _ in UInt8(truncatingIfNeeded: next(&seed)) } }
        let pixels = chunk("IDAT", stored(rows))
        let end = chunk("IEND", [])
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let room = bytes - signature.count - header.count - pixels.count - end.count - 12
        let noise = chunk("noIs", (0..<max(0, room)).map { _ in UInt8(truncatingIfNeeded: next(&seed)) })
        return Data(signature + header + noise + pixels + end)
    }

    /// xorshift64* (Vigna, 2016).
    private static func next(_ seed: inout UInt64) -> UInt64 {
        seed ^= seed >> 12
        seed ^= seed << 25
        seed ^= seed >> 27
        return (seed &* 0x2545_F491_4F6C_DD1D) >> 32
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return be(UInt32(data.count)) + body + be(checksum(body))
    }

    /// zlib's format with one block as it is (RFC 1950 and 1951).
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let length = UInt16(data.count)
        let sizes = [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        return [0x78, 0x01, 0x01] + sizes + data + be(high << 16 | low)
    }

    private static func be(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
