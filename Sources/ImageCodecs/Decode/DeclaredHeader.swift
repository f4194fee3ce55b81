import Foundation
import Raster

/// The header that a file declares in its first bytes, read by Swift code, without a check of the rest.
///
/// It serves for estimates before a file is decoded. The size is that before EXIF orientation is applied, and the
/// number of frames is 1.
///
/// Sources: JPEG's frame header (ITU-T T.81, section B.2.2), PNG's IHDR (W3C PNG, section 11.2.1), GIF's logical screen
/// (GIF89a, section 18), WebP's VP8, VP8L and VP8X chunks (RFC 6386, section 9.1; RFC 9649, sections 2.7 and 3.4).
package enum DeclaredHeader {
    /// Returns the header of a file; nil for formats whose header only a library reads and if there is none.
    package static func read(_ data: Data) -> ImageHeader? {
        guard let format = FormatSniffer.format(of: data) else { return nil }
        let declared = data.withUnsafeBytes { bytes -> PixelSize? in
            let view = ByteView(bytes: bytes)
            switch format {
            case .jpeg: return JPEGSegments.declaredSize(view)
            case .png: return size(view, 16, 20, bytes: 4, isLittle: false)
            case .gif: return size(view, 6, 8, bytes: 2)
            case .webP: return webPSize(view)
            default: return DeclaredSize(view, format: format)?.size
            }
        }
        return declared.map { ImageHeader(format: format, size: $0, frameCount: 1) }
    }

    private static func size(
        _ view: ByteView, _ width: Int, _ height: Int, bytes: Int, isLittle: Bool = true
    ) -> PixelSize? {
        guard let width = view.number(at: width, bytes: bytes, isLittle: isLittle),
            let height = view.number(at: height, bytes: bytes, isLittle: isLittle), width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    private static func webPSize(_ view: ByteView) -> PixelSize? {
        if view.has("VP8X", at: 12) {
            return size(view, 24, 27, bytes: 3).map { PixelSize(width: $0.width + 1, height: $0.height + 1) }
        }
        if view.has("VP8 ", at: 12) {
            return size(view, 26, 28, bytes: 2).map { PixelSize(width: $0.width & 0x3FFF, height: $0.height & 0x3FFF) }
        }
        guard view.has("VP8L", at: 12), let bits = view.number(at: 21, bytes: 4, isLittle: true) else { return nil }
        return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
}
