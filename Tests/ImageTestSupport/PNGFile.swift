import Foundation

/// A PNG file written byte by byte (W3C PNG, third edition), so that the decoder is not tested against itself.
package struct PNGFile {
    package enum ColorType: UInt8 {
        case grey = 0, colour = 2, palette = 3, greyAlpha = 4, colourAlpha = 6
    }

    package var width: UInt32
    package var height: UInt32
    package var depth: UInt8 = 8
    package var type: ColorType
    /// Three bytes an entry.
    package var palette: [UInt8] = []
    /// One alpha an entry of the palette.
    package var transparency: [UInt8] = []
    /// An ICC profile.
    package var profile: [UInt8] = []
    /// EXIF, as a TIFF structure.
    package var exif: [UInt8] = []
    /// Whether the rows are written in Adam7's seven passes; for depths of 8 and 16.
    package var isInterlaced = false
    /// One array a row, without the filter byte.
    package var rows: [[UInt8]]

    package init(
        width: UInt32, height: UInt32, depth: UInt8 = 8, type: ColorType, palette: [UInt8] = [],
        transparency: [UInt8] = [], profile: [UInt8] = [], exif: [UInt8] = [], isInterlaced: Bool = false,
        rows: [[UInt8]]
    ) {
        (self.width, self.height, self.depth, self.type) = (width, height, depth, type)
        (self.palette, self.transparency, self.profile, self.exif) = (palette, transparency, profile, exif)
        (self.isInterlaced, self.rows) = (isInterlaced, rows)
    }

    package var data: Data {
        let header = Self.bytes(width) + Self.bytes(height) + [depth, type.rawValue, 0, 0, isInterlaced ? 1 : 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", header)
        if !profile.isEmpty { file += Self.chunk("iCCP", Array("profile".utf8) + [0, 0] + Self.zlib(profile)) }
        if !palette.isEmpty { file += Self.chunk("PLTE", palette) }
        if !transparency.isEmpty { file += Self.chunk("tRNS", transparency) }
        if !exif.isEmpty { file += Self.chunk("eXIf", exif) }
        file += Self.chunk("IDAT", Self.zlib((isInterlaced ? passes : rows).flatMap { [0] + $0 }))
        return Data(file + Self.chunk("IEND", []))
    }

    /// The rows of the seven passes (section 8.2); those without a pixel are left out.
    private var passes: [[UInt8]] {
        let channels = [ColorType.grey: 1, .colour: 3, .palette: 1, .greyAlpha: 2, .colourAlpha: 4][type] ?? 1
        let pixel = channels * Int(depth) / 8
        let starts = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return starts.flatMap { (left, top, across, down) -> [[UInt8]] in
            stride(from: top, to: Int(height), by: down).map { (y: Int) -> [UInt8] in
                let columns = stride(from: left, to: Int(width), by: across)
                return columns.flatMap { (x: Int) -> ArraySlice<UInt8> in rows[y][x * pixel..<(x + 1) * pixel] }
            }
            .filter { !$0.isEmpty }
        }
    }

    /// One stored block (RFC 1950, RFC 1951); for contents up to 65,535 bytes.
    package static func zlib(_ content: [UInt8]) -> [UInt8] {
        let count = UInt16(content.count)
        let block = [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)] + content
        return [0x78, 0x01] + block + bytes(adler(content))
    }

    package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bytes(UInt32(content.count)) + body + bytes(crc(body))
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    private static func adler(_ content: [UInt8]) -> UInt32 {
        let sums = content.reduce((low: UInt32(1), high: UInt32(0))) { sums, byte in
            let low = (sums.low + UInt32(byte)) % 65_521
            return (low, (sums.high + low) % 65_521)
        }
        return sums.high << 16 | sums.low
    }

    private static func crc(_ content: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in content {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
