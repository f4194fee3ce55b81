/// Whether a picture's file goes to its end, as its format tells: one that does not has been cut off somewhere, be its
/// length as its server says.
///
/// Sources: JPEG's EOI (ITU-T T.81, section B.1.1), PNG's IEND (W3C PNG, section 5.6), the size of WebP's RIFF chunk
/// (RFC 9649, section 2.4). A GIF's blocks are read to their end with its header.
package enum FileEnd {
    /// Costs a look at each chunk of a PNG, and of a JPEG at what stands behind its end.
    package static func isThere(in bytes: UnsafeRawBufferPointer, of format: ImageFormat) -> Bool {
        let view = ByteView(bytes: bytes)
        return switch format {
        case .jpeg: hasEndOfImage(view)
        case .png: hasEndChunk(view)
        case .webP: view.number(at: 4, bytes: 4, isLittle: true).map { $0 <= bytes.count - 8 } ?? false
        case .gif: true
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

    /// An end mark behind the beginning of the pixels.
    ///
    /// There none can stand for anything else; previews have theirs before.
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
            // What stands between segments is passed over, as the decoders do; marks may be filled up.
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
