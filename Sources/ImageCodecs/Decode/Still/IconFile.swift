import FoundationEssentials
import Raster

/// An ICO or CUR file.
///
/// Source: the Windows documentation of ICONDIR and ICONDIRENTRY.
enum IconFile {
    /// Returns an icon, from 1: first that with the most pixels and, among equals, the most bits.
    static func icon(_ page: Int, in bytes: UnsafeRawBufferPointer, isTolerant: Bool) throws(CodecError) -> Content {
        let view = ByteView(bytes: bytes)
        var icons: [(score: Int, entry: Int)] = []
        for index in 0..<(view.number(at: 4, bytes: 2, isLittle: true) ?? 0) {
            let entry = 6 + index * 16
            guard view.part(at: entry, count: 16) != nil else { break }
            let (width, height) = (Int(bytes[entry] &- 1) + 1, Int(bytes[entry + 1] &- 1) + 1)
            // The directory need not know the bits; the bitmap does, and a PNG has the most.
            let start = view.number(at: entry + 12, bytes: 4, isLittle: true) ?? 0
            let isPNG = view.number(at: start, bytes: 4) == 0x8950_4E47
            let bits = isPNG ? 32 : view.number(at: start + 14, bytes: 2, isLittle: true) ?? 0
            let score = width * height << 8 | min(bits, 255)
            icons.append((score, entry))
        }
        icons.sort { $0.score > $1.score || $0.score == $1.score && $0.entry < $1.entry }
        guard icons.isEmpty || icons.count >= page else {
            throw StillDecoder.missingPage(page, of: icons.count, .ico)
        }
        guard !icons.isEmpty else { throw .damaged(.ico, "the file is cut off") }
        let entry = icons[page - 1].entry
        guard let count = view.number(at: entry + 8, bytes: 4, isLittle: true),
            let offset = view.number(at: entry + 12, bytes: 4, isLittle: true),
            let content = bitmap(at: offset, in: bytes, isTolerant) ?? view.part(at: offset, count: count)
        else { throw .damaged(.ico, "the file is cut off") }
        if FormatSniffer.format(of: content) == .png { return .file(Data(content), pages: icons.count) }
        guard content.count >= 16, let header = BitmapHeader(ByteView(bytes: content), at: 0) else {
            throw .damaged(.ico, "the file is cut off")
        }
        // The height counts the rows of the mask too.
        let size = PixelSize(width: header.size.width, height: header.size.height / 2)
        var file: [UInt8] = [0, 0, 1, 0, 1, 0]
        let bitmap = withShortHeader(withAlpha(content, size))
        file += bytes[entry..<entry + 4] + [1, 0] + content[14..<16]
        file += (0..<4).map { UInt8(truncatingIfNeeded: bitmap.count >> ($0 * 8)) } + [22, 0, 0, 0]
        return .library(Data(file + bitmap), declared: size, FilePart(pages: icons.count))
    }

    /// Returns the rest of a file if it has all pixels of a bitmap and its mask: the directory may state too few bytes or
    /// too many.
    private static func bitmap(
        at offset: Int, in bytes: UnsafeRawBufferPointer, _ isTolerant: Bool
    ) -> UnsafeRawBufferPointer? {
        guard offset < bytes.count else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let view = ByteView(bytes: rest)
        guard let header = BitmapHeader(view, at: 0), !header.isPacked, header.rowBytes > 0,
            let head = view.number(at: 0, bytes: 4, isLittle: true)
        else { return nil }
        let rowBytes = header.rowBytes + (header.size.width + 31) / 32 * 4
        let space = rest.count - head - header.paletteBytes
        return isTolerant || header.size.height / 2 <= space / rowBytes ? rest : nil
    }

    /// Returns a bitmap whose header has 40 bytes, behind which ImageMagick expects the pixels.
    private static func withShortHeader(_ bitmap: [UInt8]) -> [UInt8] {
        guard bitmap.count > 124, bitmap[0] == 108 || bitmap[0] == 124, bitmap[1...3].allSatisfy({ $0 == 0 }),
            bitmap[14] >= 24, bitmap[16..<20].allSatisfy({ $0 == 0 })
        else { return bitmap }
        return [40] + bitmap[1..<40] + bitmap[Int(bitmap[0])...]
    }

    /// Returns a bitmap whose alpha is that of its mask if its own is zero everywhere, as old editors wrote it.
    private static func withAlpha(_ bitmap: UnsafeRawBufferPointer, _ size: PixelSize) -> [UInt8] {
        var bytes = Array(bitmap)
        let start = ByteView(bytes: bitmap).number(at: 0, bytes: 4, isLittle: true) ?? 0
        let (area, maskRow) = (size.area, (size.width + 31) / 32 * 4)
        guard bytes.count >= 20, bytes[14] == 32, bytes[16..<20].allSatisfy({ $0 == 0 }), start >= 40,
            bytes.count >= start + area * 4 + maskRow * size.height,
            !(0..<area).contains(where: { bytes[start + $0 * 4 + 3] != 0 })
        else { return bytes }
        for y in 0..<size.height {
            for x in 0..<size.width {
                let mask = bytes[start + area * 4 + y * maskRow + x / 8] << UInt8(x % 8)
                bytes[start + (y * size.width + x) * 4 + 3] = mask & 0x80 == 0 ? 255 : 0
            }
        }
        return bytes
    }
}

/// An ICNS file.
///
/// Source: the description of Apple's icon format in Wikipedia and in Pillow's documentation.
enum ICNSFile {
    private static let files: [String: Int] = [
        "icp4": 16, "icp5": 32, "icp6": 64, "ic07": 128, "ic08": 256, "ic09": 512, "ic10": 1024, "ic11": 32,
        "ic12": 64, "ic13": 256, "ic14": 512,
    ]
    private static let planes: [String: (side: Int, mask: String)] = [
        "is32": (16, "s8mk"), "il32": (32, "l8mk"), "ih32": (48, "h8mk"), "it32": (128, "t8mk"),
    ]

    /// Returns an icon in colour, from 1: the largest first.
    static func icon(_ page: Int, in bytes: UnsafeRawBufferPointer) throws(CodecError) -> Content {
        let view = ByteView(bytes: bytes)
        var entries: [String: UnsafeRawBufferPointer] = [:]
        var offset = 8
        while let length = view.number(at: offset + 4, bytes: 4), let name = view.part(at: offset, count: 4) {
            guard length >= 8, let content = view.part(at: offset + 8, count: length - 8) else {
                throw .damaged(.icns, "the file is cut off")
            }
            entries[String(decoding: name, as: UTF8.self)] = content
            offset += length
        }
        let sides = files.merging(planes.mapValues(\.side)) { first, _ in first }
        let names = entries.keys.filter { sides[$0] != nil }.sorted { (sides[$0] ?? 0, $0) > (sides[$1] ?? 0, $1) }
        guard !names.isEmpty else { throw .damaged(.icns, "it holds no icon in colour") }
        guard names.count >= page, let content = entries[names[page - 1]] else {
            throw StillDecoder.missingPage(page, of: names.count, .icns)
        }
        let name = names[page - 1]
        guard let (side, mask) = planes[name] else {
            guard let format = FormatSniffer.format(of: content), [.png, .jpeg2000].contains(format) else {
                throw .damaged(.icns, "its largest icon is neither PNG nor JPEG 2000")
            }
            return .file(Data(content), pages: names.count)
        }
        guard let pixels = unpacked(content, skipping: name == "it32" ? 4 : 0, side: side, mask: entries[mask]) else {
            throw .damaged(.icns, "its pixels are damaged")
        }
        return .decoded(pixels, pages: names.count)
    }

    /// Unpacks red, green and blue, each a run-length coded plane, and adds the mask as alpha.
    private static func unpacked(
        _ packed: UnsafeRawBufferPointer, skipping start: Int, side: Int, mask: UnsafeRawBufferPointer?
    ) -> PixelBuffer? {
        let area = side * side
        var samples: [UInt8] = []
        var offset = packed.count == area * 3 ? 0 : start
        if packed.count == area * 3 { samples = Array(packed) }
        while samples.count < area * 3, offset < packed.count {
            let code = Int(packed[offset])
            if code < 128 {
                guard offset + 1 + code < packed.count else { return nil }
                samples += packed[offset + 1...offset + 1 + code]
                offset += code + 2
            } else {
                guard offset + 1 < packed.count else { return nil }
                samples += repeatElement(packed[offset + 1], count: code - 125)
                offset += 2
            }
        }
        guard samples.count == area * 3 else { return nil }
        let hasMask = mask?.count == area
        return PixelBuffer(size: PixelSize(width: side, height: side)) { target in
            for pixel in 0..<area {
                for channel in 0..<3 { target[pixel * 4 + channel] = samples[channel * area + pixel] }
                target[pixel * 4 + 3] = hasMask ? mask?[pixel] ?? 255 : 255
            }
        }
    }
}
