import Crypto
import Foundation

/// The name by which the index finds an entry: digests of its key, so that no secret of an address is stored.
///
/// `source` is the first 16 bytes of the SHA-256 of the source's key. `variant` is the first 8 bytes of that of kind
/// and processor; it is empty for an original.
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
        return text.withUTF8 { bytes in
            SHA256.hash(data: UnsafeRawBufferPointer(bytes)).withUnsafeBytes { Data($0.prefix(count)) }
        }
    }

    /// The display form: 12 hexadecimal digits for the source and, for a derived entry, a dash and 6 more.
    var text: String { variant.isEmpty ? sourceText : "\(sourceText)-\(Self.hexadecimal(variant.prefix(3)))" }

    /// The display form of the source alone.
    var sourceText: String { Self.hexadecimal(source.prefix(6)) }

    private static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }
}

/// The beginning of an entry's name, in the form of `CacheEntryName.text`.
struct CacheEntryNamePrefix: Hashable, Sendable {
    /// The first and the last source of 16 bytes with this prefix.
    let sources: Bounds
    /// The first and the last variant of 8 bytes with this prefix; nil for every variant.
    let variants: Bounds?

    struct Bounds: Hashable {
        let first, last: Data
    }

    /// Parses 4 to 32 hexadecimal digits, optionally followed by a dash and 1 to 16 more; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, (4...32).contains(first.utf8.count), let sources = Self.bounds(first, bytes: 16)
        else { return nil }
        self.sources = sources
        guard parts.count == 2 else {
            variants = nil
            return
        }
        guard (1...16).contains(parts[1].utf8.count), let variants = Self.bounds(parts[1], bytes: 8) else { return nil }
        self.variants = variants
    }

    private static func bounds(_ digits: Substring, bytes count: Int) -> Bounds? {
        guard let first = bytes(digits, filledWith: 0, count), let last = bytes(digits, filledWith: 15, count) else {
            return nil
        }
        return Bounds(first: first, last: last)
    }

    private static func bytes(_ text: Substring, filledWith digit: Int, _ count: Int) -> Data? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count else { return nil }
        let whole = digits + Array(repeating: digit, count: 2 * count - digits.count)
        return Data(stride(from: 0, to: 2 * count, by: 2).map { UInt8(whole[$0] << 4 | whole[$0 + 1]) })
    }
}
