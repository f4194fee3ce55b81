import FoundationEssentials
import Raster

/// The header that a file declares in its first bytes, read by Swift code, without a check of the rest.
///
/// It serves for estimates before a file is decoded. The size is that before EXIF orientation is applied, and the
/// number of frames is 1.
///
/// Sources: JPEG's frame header (ITU-T T.81, section B.2.2), PNG's IHDR (W3C PNG, section 11.2.1), GIF's logical screen
/// (GIF89a, section 18), WebP's VP8, VP8L and VP8X chunks (RFC 6386, section 9.1; RFC 9649, sections 2.7 and 3.4), the
/// `ispe` boxes of AVIF and HEIC (ISO/IEC 23008-12, section 6.5.3), JPEG 2000's SIZ (ISO/IEC 15444-1, section A.5.1).
package enum DeclaredHeader {
    /// Returns the header of a file; nil if there is none, or if only a library can read it.
    package static func read(_ data: Data) -> ImageHeader? {
        guard let format = FormatSniffer.format(of: data) else { return nil }
        let declared = data.withUnsafeBytes { bytes -> PixelSize? in
            let view = ByteView(bytes: bytes)
            switch format {
            case .jpeg: return JPEGSegments(bytes).frame?.size
            case .png:
                let start = PNGChunks.headerStart(view)
                return size(view, start + 8, start + 12, bytes: 4, isLittle: false)
            case .gif: return size(view, 6, 8, bytes: 2)
            case .webP: return webPSize(view)
            case .avif, .heic: return boxesSize(view)
            case .jpeg2000: return jpeg2000Size(view)
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

    /// Returns the beginning of a file, in which the size is searched.
    private static func beginning(_ view: ByteView) -> ByteView {
        ByteView(bytes: UnsafeRawBufferPointer(rebasing: view.bytes.prefix(1 << 16)))
    }

    /// Returns the largest of the sizes; the others are those of tiles or thumbnails.
    private static func boxesSize(_ view: ByteView) -> PixelSize? {
        let view = beginning(view)
        let sizes = view.bytes.indices.dropLast(16).lazy.filter { view.has("ispe", at: $0) }
            .compactMap { size(view, $0 + 8, $0 + 12, bytes: 4, isLittle: false) }
        return sizes.max { $0.area < $1.area }
    }

    private static func jpeg2000Size(_ view: ByteView) -> PixelSize? {
        let view = beginning(view)
        guard let place = view.bytes.firstRange(of: [0xFF, 0x4F, 0xFF, 0x51])?.lowerBound else { return nil }
        guard let end = size(view, place + 8, place + 12, bytes: 4, isLittle: false),
            let left = view.number(at: place + 16, bytes: 4), let top = view.number(at: place + 20, bytes: 4),
            left < end.width, top < end.height
        else { return nil }
        return PixelSize(width: end.width - left, height: end.height - top)
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

/// The size that a file declares, read without a decoder for formats whose decoder reads pixels with the header.
///
/// Sources: the Windows documentation of BITMAPINFOHEADER, Truevision TGA 2.0, Adobe's PSD specification, ZSoft's PCX
/// manual, the documentation of DDS_HEADER, X11's manuals of XPM and XBM.
struct DeclaredSize {
    let size: PixelSize
    /// The least bytes that a whole file with this header has.
    var leastBytes = 0

    /// Reads the header of a file; nil if it is damaged or the format is not one of those.
    init?(_ view: ByteView, format: ImageFormat) {
        let header: DeclaredSize? =
            switch format {
            case .bmp: Self.bmp(view)
            case .tga: TGAHeader(Array(view.bytes.prefix(18))).map { Self($0.size, $0.leastBytes) }
            case .psd: Self.psd(view)
            case .pcx: Self.pcx(view)
            case .dds: Self.dds(view)
            case .xpm: Self.xpm(view)
            // A number of one or two bytes has four characters at least.
            case .xbm:
                XBMHeader(Array(view.bytes.prefix(FormatSignatures.bytesNeeded))).map {
                    Self($0.size, ($0.size.width + 7) / 8 * $0.size.height * 2)
                }
            default: nil
            }
        guard let header, !header.size.isEmpty else { return nil }
        self = header
    }

    private init(_ size: PixelSize, _ leastBytes: Int) { (self.size, self.leastBytes) = (size, leastBytes) }

    private static func bmp(_ view: ByteView) -> DeclaredSize? {
        guard let pixels = view.number(at: 10, bytes: 4, isLittle: true),
            let dib = BitmapHeader(view, at: 14)
        else { return nil }
        let least = dib.isPacked ? 0 : PixelSize(width: dib.rowBytes, height: dib.size.height).area
        let (bytes, isTooMuch) = least.addingReportingOverflow(max(pixels, 14))
        return DeclaredSize(dib.size, isTooMuch ? .max : bytes)
    }

    private static func psd(_ view: ByteView) -> DeclaredSize? {
        guard let channels = view.number(at: 12, bytes: 2), let height = view.number(at: 14, bytes: 4),
            let width = view.number(at: 18, bytes: 4), let depth = view.number(at: 22, bytes: 2),
            width <= 300_000, height <= 300_000, channels <= 56, depth <= 32
        else { return nil }
        let isLarge = view.number(at: 4, bytes: 2) == 2
        var offset = 26
        for index in 0..<3 {
            let length =
                index == 2 && isLarge
                ? view.number(at: offset + 4, bytes: 4).map { $0 + 4 } : view.number(at: offset, bytes: 4)
            guard let length else { return DeclaredSize(PixelSize(width: width, height: height), .max) }
            offset += 4 + length
        }
        var least = offset + 2
        let isRaw = view.number(at: offset, bytes: 2) == 0
        if isRaw {
            least += channels * height * ((width * depth + 7) / 8)
        } else if view.number(at: offset, bytes: 2) == 1 {
            let each = isLarge ? 4 : 2
            least += channels * height * each
            for row in 0..<channels * height {
                guard let length = view.number(at: offset + 2 + row * each, bytes: each) else { break }
                least += length
            }
        }
        return DeclaredSize(PixelSize(width: width, height: height), least)
    }

    private static func pcx(_ view: ByteView) -> DeclaredSize? {
        let fields = [4, 6, 8, 10].compactMap { view.number(at: $0, bytes: 2, isLittle: true) }
        guard fields.count == 4, fields[2] >= fields[0], fields[3] >= fields[1],
            let planes = view.number(at: 65, bytes: 1), let row = view.number(at: 66, bytes: 2, isLittle: true)
        else { return nil }
        let size = PixelSize(width: fields[2] - fields[0] + 1, height: fields[3] - fields[1] + 1)
        // Two bytes hold at most 63 bytes of a row.
        return DeclaredSize(size, 128 + planes * row * size.height * 2 / 63)
    }

    private static func dds(_ view: ByteView) -> DeclaredSize? {
        guard let height = view.number(at: 12, bytes: 4, isLittle: true),
            let width = view.number(at: 16, bytes: 4, isLittle: true),
            let bits = view.number(at: 88, bytes: 4, isLittle: true)
        else { return nil }
        let size = PixelSize(width: width, height: height)
        guard size.area < 1 << 40 else { return DeclaredSize(size, .max) }
        let blocks = ((width + 3) / 4) * ((height + 3) / 4)
        let extended = view.has("DX10", at: 84) ? view.number(at: 128, bytes: 4, isLittle: true) ?? 0 : nil
        let start = extended == nil ? 128 : 148
        let isSmall = ["DXT1", "ATI1", "BC4U", "BC4S"].contains { view.has($0, at: 84) }
        if isSmall || extended.map({ (70...72).contains($0) || (79...81).contains($0) }) ?? false {
            return DeclaredSize(size, start + blocks * 8)
        }
        let isLarge = ["DXT", "ATI2", "BC5U", "BC5S"].contains { view.has($0, at: 84) }
        if isLarge || extended.map({ (73...84).contains($0) || (94...99).contains($0) }) ?? false {
            return DeclaredSize(size, start + blocks * 16)
        }
        let isPlain = view.number(at: 84, bytes: 4) == 0
        return DeclaredSize(size, isPlain ? 128 + size.area * min(bits, 128) / 8 : 0)
    }

    private static func xpm(_ view: ByteView) -> DeclaredSize? {
        let text = String(decoding: view.bytes.prefix(FormatSignatures.bytesNeeded), as: UTF8.self)
        let values = text.split(separator: "\"").dropFirst().first
        let numbers = values?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) } ?? []
        guard numbers.count >= 4, numbers.prefix(4).allSatisfy({ (0...1_000_000).contains($0) }) else { return nil }
        let size = PixelSize(width: numbers[0], height: numbers[1])
        return DeclaredSize(size, size.area * numbers[3])
    }
}

/// The header of a device-independent bitmap, as BMP and ICO files contain it.
struct BitmapHeader {
    let size: PixelSize
    let rowBytes: Int
    /// The bytes of the colours before pixels of up to eight bits.
    let paletteBytes: Int
    /// Whether the rows are compressed.
    let isPacked: Bool

    init?(_ view: ByteView, at start: Int) {
        guard let length = view.number(at: start, bytes: 4, isLittle: true) else { return nil }
        let bits: Int?
        if length == 12 {
            guard let width = view.number(at: start + 4, bytes: 2, isLittle: true),
                let height = view.number(at: start + 6, bytes: 2, isLittle: true)
            else { return nil }
            (size, bits, isPacked) = (
                PixelSize(width: width, height: height), view.number(at: start + 10, bytes: 2, isLittle: true), false
            )
        } else {
            guard let width = view.number(at: start + 4, bytes: 4, isLittle: true),
                let height = view.number(at: start + 8, bytes: 4, isLittle: true)
            else { return nil }
            // Rows from the top down have a negative height.
            let rows = Int(Int32(truncatingIfNeeded: height)).magnitude
            size = PixelSize(width: Int(Int32(truncatingIfNeeded: width)), height: Int(rows))
            bits = view.number(at: start + 14, bytes: 2, isLittle: true)
            let packing = view.number(at: start + 16, bytes: 4, isLittle: true) ?? 0
            isPacked = length >= 20 && ![0, 3, 6].contains(packing)
        }
        guard let bits, bits <= 64 else { return nil }
        rowBytes = (size.width * bits + 31) / 32 * 4
        let (most, stated) = (1 << min(bits, 8), view.number(at: start + 32, bytes: 4, isLittle: true) ?? 0)
        paletteBytes = bits > 8 ? 0 : (1...most).contains(stated) ? stated * 4 : most * 4
    }
}
