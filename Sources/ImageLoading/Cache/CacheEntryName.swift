import Crypto
import Foundation

/// What an entry is found by in the index: digests of its key, so that no secret of an address is written down.
///
/// The first 16 bytes of the SHA-256 of the source's key, and the first 8 of that of processor and kind; an original
/// has none of the latter.
struct CacheEntryName: Hashable, Sendable {
    let source: Data
    let variant: Data

    init(_ key: CacheEntryKey) {
        source = Self.digest(of: key.source, bytes: 16)
        variant = Self.variant(key.processor, key.kind)
    }

    init(source: Data, variant: Data) {
        self.source = source
        self.variant = variant
    }

    static func source(_ key: String) -> Data { digest(of: key, bytes: 16) }

    private static func variant(_ processor: String, _ kind: CacheEntryKind) -> Data {
        processor.isEmpty && kind == .original ? Data() : digest(of: "\(kind.rawValue)\u{0}\(processor)", bytes: 8)
    }

    private static func digest(of text: String, bytes count: Int) -> Data {
        var text = text
        return text.withUTF8 { bytes in Data(SHA256.hash(data: UnsafeRawBufferPointer(bytes)).prefix(count)) }
    }

    /// As people write it: 12 hexadecimal digits for the source and, for what was made of it, 6 more behind a dash.
    var text: String { variant.isEmpty ? sourceText : "\(sourceText)-\(Self.hexadecimal(variant.prefix(3)))" }

    /// Without what was made of it.
    var sourceText: String { Self.hexadecimal(source.prefix(6)) }

    private static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }
}

/// The beginning of a name, as `CacheEntryName.text` writes it; whole bytes of it are looked for in the index.
struct CacheEntryNamePrefix: Hashable, Sendable {
    /// 4 to 16 bytes.
    let source: Data
    /// nil for every variant.
    let variant: Data?

    /// Nil for what cannot be one: anything but 8 to 32 hexadecimal digits, and up to 16 more behind a dash.
    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let source = Self.bytes(first), (4...16).contains(source.count) else {
            return nil
        }
        self.source = source
        guard parts.count == 2 else {
            variant = nil
            return
        }
        guard let variant = Self.bytes(parts[1]), (1...8).contains(variant.count) else { return nil }
        self.variant = variant
    }

    private static func bytes(_ text: Substring) -> Data? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// The last source of 16 bytes that begins so.
    var lastSource: Data { source + Data(repeating: 0xFF, count: 16 - source.count) }
}
