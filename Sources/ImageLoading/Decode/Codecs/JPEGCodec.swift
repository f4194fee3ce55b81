import CJPEG
import Raster

/// A JPEG file in libjpeg-turbo, which scales by 1/2, 1/4 and 1/8 within the inverse transform.
final class JPEGCodec: Codec {
    let format = ImageFormat.jpeg
    let storedSize: PixelSize
    let orientation: Orientation
    private let file: OpaquePointer

    /// Nil for CMYK, and for a colour profile that is not sRGB's.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let segments = JPEGSegments(bytes)
        guard segments.isSRGB, let file = alcedo_jpeg_open(bytes.baseAddress, bytes.count) else { return nil }
        self.file = file
        orientation = segments.orientation
        storedSize = PixelSize(width: Int(alcedo_jpeg_width(file)), height: Int(alcedo_jpeg_height(file)))
    }

    deinit { alcedo_jpeg_close(file) }

    func pixels(scaledTo target: PixelSize) -> PixelBuffer? {
        guard !target.isEmpty else { return nil }
        let ratio = min(storedSize.width / target.width, storedSize.height / target.height)
        let shrink = [8, 4, 2].first { $0 <= ratio } ?? 1
        guard alcedo_jpeg_start(file, Int32(shrink)) == 0 else { return nil }
        let size = PixelSize(
            width: Int(alcedo_jpeg_scaled_width(file)), height: Int(alcedo_jpeg_scaled_height(file)))
        return RowReader(size: size, isOpaque: true).picture(scaledTo: target) { rows, count in
            alcedo_jpeg_read(file, rows.baseAddress, Int32(count)) == Int32(count)
        }
    }
}

/// What the segments before a JPEG's pixels say of its colours and its orientation.
///
/// Source: ITU-T T.81, section B.1.1.4; ICC.1:2022, section B.4; Exif 2.32, section 4.7.2.
struct JPEGSegments {
    private(set) var isSRGB = true
    private(set) var orientation = Orientation.upright

    init(_ bytes: UnsafeRawBufferPointer) {
        let view = ByteView(bytes: bytes)
        var offset = 2
        while let marker = view.number(at: offset, bytes: 2), marker > 0xFF00, marker != 0xFFDA {
            guard marker != 0xFFFF else {
                offset += 1
                continue
            }
            guard let length = view.number(at: offset + 2, bytes: 2), length >= 2,
                let content = view.part(at: offset + 4, count: length - 2)
            else { return }
            read(ByteView(bytes: content), marker)
            offset += 2 + length
        }
    }

    private mutating func read(_ content: ByteView, _ marker: Int) {
        if marker == 0xFFE1, content.has("Exif\0\0", at: 0) { orientation = Orientation(exif: content.bytes) }
        if marker == 0xFFE2, content.has("ICC_PROFILE\0", at: 0) {
            // sRGB's profile fits into one segment: the first of one.
            let isWhole = content.number(at: 12, bytes: 2) == 0x0101
            isSRGB = isWhole && content.part(at: 14, count: content.bytes.count - 14).map(ColorProfileCheck.isSRGB) == true
        }
    }
}
