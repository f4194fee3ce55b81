/// The base64 encoding with padding (RFC 4648, section 4).
package enum Base64 {
    /// Returns the number of characters for a number of bytes.
    static func count(of bytes: Int) -> Int { (bytes + 2) / 3 * 4 }

    /// Returns the characters of `bytes` in O(bytes).
    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count(of: bytes.count)) { output, written in
            bytes.withUnsafeBufferPointer { input in
                alphabet.withUnsafeBufferPointer { write(input, $0, to: output) }
            }
            written = count(of: bytes.count)
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func write(
        _ input: UnsafeBufferPointer<UInt8>, _ alphabet: UnsafeBufferPointer<UInt8>,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let whole = input.count / 3
        for group in 0..<whole {
            let (source, target) = (group &* 3, group &* 4)
            let bits = Int(input[source]) << 16 | Int(input[source &+ 1]) << 8 | Int(input[source &+ 2])
            for place in 0..<4 { output[target &+ place] = alphabet[bits >> (18 &- place &* 6) & 63] }
        }
        let rest = input.count - whole * 3
        guard rest > 0 else { return }
        let bits = Int(input[whole * 3]) << 16 | (rest > 1 ? Int(input[whole * 3 + 1]) << 8 : 0)
        for place in 0..<4 {
            output[whole * 4 + place] = place <= rest ? alphabet[bits >> (18 - place * 6) & 63] : UInt8(ascii: "=")
        }
    }
}
