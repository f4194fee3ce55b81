import Raster

/// A check that an image file is complete according to its format.
///
/// A file without its end mark is truncated, whatever length the server states.
///
/// Sources: JPEG's EOI (ITU-T T.81, section B.1.1), PNG's IEND (W3C PNG, section 5.6), the size of WebP's RIFF chunk
/// (RFC 9649, section 2.4). `GIFFile` reads a GIF's blocks to their end, so a GIF always passes here, and so do
/// other files of the formats that are not trusted. Files of boxes (ISO/IEC 14496-12, section 4.2), EBML and AVI are
/// complete if no part at the top level is longer than the file.
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
        case .avif, .heic: hasAllBoxes(view)
        case .jpegXL: !view.has("JXL ", at: 4) || hasAllBoxes(view)
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
