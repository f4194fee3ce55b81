import Foundation
import Raster

/// A search for the first fault of a file that its decoder refused, for decoder messages that say too little.
enum DamageReport {
    /// Returns the reason to report for a decoder's message.
    ///
    /// - Parameters:
    ///   - message: The decoder's message; nil if it gave none.
    ///   - data: The file, which is searched for its first fault.
    ///   - format: The format of the file.
    static func reason(for message: String?, in data: Data, of format: ImageFormat) -> String {
        let reported = message.flatMap { isInformative($0) ? $0 : nil }
        return switch (format, reported) {
        // Only whole chunks reach a decoder of PNG: what it calls too short is no cut of the file.
        case (.png, let text?): if case .corrupt = PictureDamage(reason: text) { text } else { damagedPixels }
        case (.webP, nil): data.withUnsafeBytes { webPReason(ByteView(bytes: $0)) } ?? damagedPixels
        default: reported ?? damagedPixels
        }
    }

    private static let damagedPixels = "its compressed pixels are damaged"

    /// Messages of libvips that do not name the fault.
    private static let empty = [
        "libpng read error", "libspng read error", "unable to parse image", "unable to read pixels",
    ]

    private static func isInformative(_ message: String) -> Bool { !empty.contains { message.hasSuffix($0) } }

    /// Returns the first fault in the chunks of a WebP; nil if none is found.
    ///
    /// Source: RFC 9649, sections 2.4 to 2.7, and RFC 6386, section 9.1.
    private static func webPReason(_ view: ByteView) -> String? {
        var offset = 12
        var isExtended = false
        while let size = view.number(at: offset + 4, bytes: 4, isLittle: true) {
            let content = offset + 8
            guard view.part(at: content, count: size) != nil else {
                return "a chunk at byte \(offset) is longer than the file"
            }
            if view.has("VP8X", at: offset) {
                isExtended = true
            } else if view.has("VP8 ", at: offset) {
                return view.number(at: content + 3, bytes: 3) == 0x9D012A && size >= 10
                    ? nil : "the header of its pixels is damaged"
            } else if view.has("VP8L", at: offset) {
                return view.number(at: content, bytes: 1) == 0x2F && size >= 5
                    ? nil : "the header of its pixels is damaged"
            } else if view.has("ANMF", at: offset) {
                return size >= 24 ? nil : "its first frame is too short"
            } else if !isExtended {
                return "its first chunk is none of VP8, VP8L and VP8X"
            }
            offset = content + size + size % 2
        }
        return "there are no pixels in it"
    }
}
