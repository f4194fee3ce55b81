import AlcedoCNettle
import FoundationEssentials

/// The name of a content file: the digest of its bytes and, if one is forced, an extension.
///
/// Equal contents with the same extension are one file.
package struct ContentName: Hashable, Sendable {
    package let digest: ContentDigest
    let fileExtension: String?

    init(digest: ContentDigest, fileExtension: String? = nil) {
        self.digest = digest
        self.fileExtension = fileExtension
    }

    /// Parses a name from the index; nil for any other text.
    package init?(_ text: String) {
        if let digest = ContentDigest(hexadecimal: text) {
            self.init(digest: digest)
            return
        }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let digest = ContentDigest(hexadecimal: String(parts[0])),
            Self.isExtension(String(parts[1]))
        else { return nil }
        self.init(digest: digest, fileExtension: String(parts[1]))
    }

    var text: String { fileExtension.map { "\(digest.hexadecimal).\($0)" } ?? digest.hexadecimal }

    /// Returns whether a text has 1 to 32 bytes and no slash or control character.
    static func isExtension(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }
}

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
package struct ContentDigest: Hashable, Sendable {
    package let hexadecimal: String

    package init(of data: Data) {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in data.withUnsafeBytes({ SHA256.digest(of: $0) }) {
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

/// The hash function SHA-256 (FIPS 180-4).
enum SHA256 {
    /// Returns the digest of some bytes: 32 bytes.
    static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes.baseAddress)
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { digest, count in
            count = digest.count
            nettle_sha256_digest(&context, count, digest.baseAddress)
        }
    }
}
