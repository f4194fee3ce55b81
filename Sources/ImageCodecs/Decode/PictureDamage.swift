import FoundationEssentials
import Raster

/// A fault of a picture's file that left some or all pixels.
public enum PictureDamage: Sendable, Hashable {
    /// All pixels are there; only the mark at the end of the file is missing.
    case missingEnd
    /// The file ends within its pixels; the text says where.
    case incomplete(String)
    /// The file decodes with errors; the text gives the first one.
    case corrupt(String)

    /// Whether pixels may be missing or wrong.
    package var affectsPixels: Bool { self != .missingEnd }

    /// A short description: "incomplete: the file ends at row 20 of 100".
    package var title: String {
        switch self {
        case .missingEnd: "the mark at the end of the file is missing"
        case .incomplete(let reason): "incomplete: \(reason)"
        case .corrupt(let reason): "corrupt: \(reason)"
        }
    }

    /// Creates damage from the reason that a decoder gave.
    init(reason: String) {
        let ends = [
            "truncated", "premature end", "ends", "end of file", "cut off", "too short",
            "longer than the file",
            // libtiff's words
            "bytes, expected", "not enough data",
        ]
        let text = reason.lowercased()
        self = ends.contains(where: text.contains) ? .incomplete(reason) : .corrupt(reason)
    }
}

extension DecodeLimits {
    /// Throws the damage as an error unless the limits allow it.
    package func check(_ damage: PictureDamage?, of format: ImageFormat) throws(CodecError) {
        guard let damage, damage.affectsPixels, !allowsDamage else { return }
        throw .processor(.damaged(format: format.rawValue, damage))
    }
}

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
        // A PNG decoder gets whole chunks only, so its messages about missing data do not mean that the file is cut
        // off.
        case (.png, let text?): if case .corrupt = PictureDamage(reason: text) { text } else { damagedPixels }
        case (.png, nil): data.withUnsafeBytes { pngReason(ByteView(bytes: $0)) } ?? damagedPixels
        default: reported ?? damagedPixels
        }
    }

    private static let damagedPixels = "its compressed pixels are damaged"

    /// Messages of libvips that do not name the fault.
    private static let empty = [
        "libpng read error", "libspng read error", "unable to parse image", "unable to read pixels",
    ]

    private static func isInformative(_ message: String) -> Bool { !empty.contains { message.hasSuffix($0) } }

    /// Returns the fault in the header of a PNG whose chunks are whole, or that it has no pixels; nil if there is none.
    ///
    /// Source: W3C PNG, third edition, section 11.2.1.
    private static func pngReason(_ view: ByteView) -> String? {
        guard let width = view.number(at: 16, bytes: 4), let height = view.number(at: 20, bytes: 4),
            let depth = view.number(at: 24, bytes: 1), let type = view.number(at: 25, bytes: 1),
            let methods = view.number(at: 26, bytes: 3)
        else { return "its header is too short" }
        let depths = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard depths[type]?.contains(depth) == true else {
            return "its header says colour type \(type) with \(depth) bits, which no PNG has"
        }
        guard width > 0, height > 0 else { return "its picture is empty" }
        guard methods <= 1 else { return "its header says an unknown method of compression, filtering or interlacing" }
        let hasPixels = PNGChunks.all(in: view).contains {
            $0.name == PNGChunks.ChunkName.pixels && !$0.content.bytes.isEmpty
        }
        return hasPixels ? nil : "there are no pixels in it"
    }
}

/// A check that an image file is complete according to its format.
///
/// A file without its end mark is truncated, whatever length the server states.
///
/// Sources: JPEG's EOI (ITU-T T.81, section B.1.1), PNG's IEND (W3C PNG, section 5.6), the size of WebP's RIFF chunk
/// (RFC 9649, section 2.4). `GIFFile` reads a GIF's blocks to their end, so a GIF always passes here, and so do
/// most files of the formats that are not trusted; `RunLengths` follows the codes of BMP and PCX. Files of boxes (ISO/IEC 14496-12, section 4.2), EBML and AVI are
/// complete if no part at the top level is longer than the file.
package enum CompletenessCheck {
    /// Returns whether the file contains the end mark of its format.
    ///
    /// It visits each chunk of a PNG; in a JPEG it searches backwards from the end of the file.
    package static func isThere(in bytes: UnsafeRawBufferPointer, of format: ImageFormat) -> Bool {
        let view = ByteView(bytes: bytes)
        return switch format {
        case .jpeg: hasEndOfImage(view)
        case .png: PNGChunks.all(in: view).contains { $0.name == PNGChunks.ChunkName.end }
        case .webP: view.number(at: 4, bytes: 4, isLittle: true).map { $0 <= bytes.count - 8 } ?? false
        case .bmp: RunLengths.reachEndOfBitmap(view)
        case .pcx: RunLengths.reachEndOfPCX(view)
        case .avif, .heic: hasAllBoxes(view)
        case .jpegXL: !view.has("JXL ", at: 4) || hasAllBoxes(view)
        case .jpeg2000:
            // The end mark may be padded.
            view.has("jP  ", at: 4) ? hasAllBoxes(view) : view.bytes.suffix(64).firstRange(of: [0xFF, 0xD9]) != nil
        case .video:
            if view.has("RIFF", at: 0) {
                view.number(at: 4, bytes: 4, isLittle: true).map { $0 <= bytes.count - 8 } ?? false
            } else {
                bytes.first == 0x1A ? hasAllElements(view) : hasAllBoxes(view)
            }
        default: true
        }
    }

    private static func hasAllBoxes(_ view: ByteView) -> Bool {
        var offset = 0
        while let short = view.number(at: offset, bytes: 4), short != 0 {
            var length = short
            if short == 1 {
                guard let high = view.number(at: offset + 8, bytes: 4), high < 1 << 24,
                    let low = view.number(at: offset + 12, bytes: 4)
                else { return false }
                length = high << 32 | low
            }
            guard length >= 8, length <= view.bytes.count - offset else { return length < 8 }
            offset += length
        }
        return true
    }

    /// Follows the elements at the top level; one of unknown length reaches to the end.
    private static func hasAllElements(_ view: ByteView) -> Bool {
        var offset = 0
        while let first = view.number(at: offset, bytes: 1) {
            let name = UInt8(first).leadingZeroBitCount + 1
            guard name <= 4, let mark = view.number(at: offset + name, bytes: 1) else { return true }
            let count = UInt8(mark).leadingZeroBitCount + 1
            guard count <= 8, let field = view.part(at: offset + name, count: count) else { return false }
            let length = field.dropFirst().reduce(mark & (0x7F >> (count - 1))) { ($0 << 8 | Int($1)) & (1 << 55 - 1) }
            if length == 1 << (7 * count) - 1 { return true }
            guard length <= view.bytes.count - offset - name - count else { return false }
            offset += name + count + length
        }
        return true
    }

    /// Returns whether an end mark (EOI) follows the start of the first scan.
    ///
    /// The search begins there because the bytes 0xFF 0xD9 within a scan can only be the end mark, while embedded
    /// previews have their own end marks before it.
    private static func hasEndOfImage(_ view: ByteView) -> Bool {
        guard let pixels = JPEGSegments(view.bytes).startOfScan else { return false }
        var rest = view.bytes[pixels...]
        while let code = rest.lastIndex(of: 0xD9) {
            if code > pixels, view.bytes[code - 1] == 0xFF { return true }
            rest = rest[..<code]
        }
        return false
    }
}
