import Raster

/// Detection of image formats by their content; file names and content types are ignored.
///
/// Signatures: JPEG (ITU-T T.81, SOI then a marker), PNG (W3C PNG, section 5.2), GIF (GIF89a, section 17),
/// WebP (RFC 9649, section 2.4). `FormatSignatures` lists those of the other formats.
package enum FormatSniffer {
    /// The number of bytes that suffice to detect a trusted format.
    package static let bytesNeeded = 16

    /// The result of the detection.
    package enum Verdict: Sendable, Equatable {
        /// A supported format.
        case format(ImageFormat)
        /// More bytes are needed.
        case undecided
        /// Not a supported format; the text names what the bytes look like.
        case refused(String)
    }

    /// Detects the format of a file from its first bytes.
    ///
    /// Sixteen bytes decide the trusted formats. Others need up to `FormatSignatures.bytesNeeded`, and a TGA file
    /// without a footer needs the whole file.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the file.
    ///   - isWhole: Whether no more bytes will follow.
    package static func judge(_ bytes: some Collection<UInt8>, isWhole: Bool) -> Verdict {
        let head = Array(bytes.prefix(bytesNeeded))
        if let format = trustedFormat(head) { return .format(format) }
        if head.count < bytesNeeded, !isWhole { return .undecided }
        let known = Array(bytes.prefix(FormatSignatures.bytesNeeded))
        let signatures = FormatSignatures(known, isWhole: isWhole && known.count == bytes.count)
        let verdict = signatures.verdict
        guard verdict == nil || verdict == .undecided else { return verdict ?? .undecided }
        if TGAHeader(known) != nil {
            guard isWhole else { return .undecided }
            return .format(.tga)
        }
        if verdict == .undecided, !isWhole { return .undecided }
        return .refused(appearance(of: Array(known.prefix(64))))
    }

    /// Detects the format of a whole file; nil if it is none of the supported ones.
    package static func format(of file: some Collection<UInt8>) -> ImageFormat? {
        if case .format(let format) = judge(file, isWhole: true) { format } else { nil }
    }

    private static func trustedFormat(_ head: [UInt8]) -> ImageFormat? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.starts(with: Array("GIF87a".utf8)) || head.starts(with: Array("GIF89a".utf8)) { return .gif }
        if head.count >= 12, head.starts(with: Array("RIFF".utf8)), head[8..<12].elementsEqual("WEBP".utf8) {
            return .webP
        }
        return nil
    }

    private static let appearances: [(prefix: String, name: String)] = [
        ("<!doctype html", "HTML"), ("<html", "HTML"), ("<head", "HTML"), ("<?xml", "XML"), ("{", "JSON or text"),
    ]

    private static func appearance(of head: [UInt8]) -> String {
        guard !head.isEmpty else { return "empty" }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let trimmed = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if let known = appearances.first(where: { trimmed.hasPrefix($0.prefix) }) { return known.name }
        return head.allSatisfy { (0x20..<0x7F).contains($0) || [9, 10, 13].contains($0) } ? "text" : "unknown bytes"
    }
}
