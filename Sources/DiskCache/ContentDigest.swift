import Crypto
import Foundation

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
package struct ContentDigest: Hashable, Sendable {
    package let hexadecimal: String

    package init(of data: Data) {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in SHA256.hash(data: data) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        hexadecimal = String(decoding: text, as: UTF8.self)
    }

    /// Creates a digest from 64 lower-case hexadecimal digits; nil for any other text.
    init?(hexadecimal: String) {
        let isDigest = hexadecimal.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.count == 64 && bytes.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }
        guard isDigest == true else { return nil }
        self.hexadecimal = hexadecimal
    }
}
