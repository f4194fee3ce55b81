/// A check that an image file is complete according to its format.
///
/// A file without its end mark is truncated, whatever length the server states.
///
/// Sources: JPEG's EOI (ITU-T T.81, section B.1.1), PNG's IEND (W3C PNG, section 5.6), the size of WebP's RIFF chunk
/// (RFC 9649, section 2.4). `GIFFile` reads a GIF's blocks to their end, so a GIF always passes here, and so do
/// files of the formats that are not trusted.
package enum CompletenessCheck {
    /// Returns whether the file contains the end mark of its format.
    ///
    /// It visits each chunk of a PNG; in a JPEG it searches backwards from the end of the file.
    package static func isThere(in bytes: UnsafeRawBufferPointer, of format: ImageFormat) -> Bool {
        let view = ByteView(bytes: bytes)
        return switch format {
        case .jpeg: hasEndOfImage(view)
        case .png: hasEndChunk(view)
        case .webP: view.number(at: 4, bytes: 4, isLittle: true).map { $0 <= bytes.count - 8 } ?? false
        default: true
        }
    }

    private static func hasEndChunk(_ view: ByteView) -> Bool {
        var offset = 8
        while let length = view.number(at: offset, bytes: 4), view.part(at: offset + 8, count: length + 4) != nil {
            if view.has("IEND", at: offset + 4) { return true }
            offset += 12 + length
        }
        return false
    }

    /// Returns whether an end mark (EOI) follows the start of the first scan.
    ///
    /// The search begins there because the bytes 0xFF 0xD9 within a scan can only be the end mark, while embedded
    /// previews have their own end marks before it.
    private static func hasEndOfImage(_ view: ByteView) -> Bool {
        guard let pixels = startOfScan(view) else { return false }
        var rest = view.bytes[pixels...]
        while let code = rest.lastIndex(of: 0xD9) {
            if code > pixels, view.bytes[code - 1] == 0xFF { return true }
            rest = rest[..<code]
        }
        return false
    }

    private static func startOfScan(_ view: ByteView) -> Int? {
        var offset = 2
        while let mark = view.number(at: offset, bytes: 2) {
            switch mark {
            case 0xFFDA: return offset
            // Bytes between segments are skipped, as decoders do; 0xFF may be repeated as fill before a marker.
            case ..<0xFF00, 0xFFFF: offset += 1
            case 0xFF00, 0xFF01, 0xFFD0...0xFFD8: offset += 2
            default:
                guard let length = view.number(at: offset + 2, bytes: 2) else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }
}
