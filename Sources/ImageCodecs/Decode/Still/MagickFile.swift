import FoundationEssentials
import Raster

/// Changes to files that ImageMagick 6.9 does not read as they are.
extension StillDecoder {
    /// Returns the file, or an equal one that ImageMagick reads.
    func acceptedByMagick(_ data: Data) -> Data {
        switch format {
        case .bmp: withFileSize(data)
        case .xpm: withOpeningComment(data)
        case .xbm: withPlainHeader(data)
        case .dds: withOldHeader(data)
        case .tga: withoutUnusedMap(data)
        default: data
        }
    }

    /// Returns a DDS file with the old header, which ImageMagick requires; only old kinds of compression can be named
    /// in it.
    private func withOldHeader(_ data: Data) -> Data {
        let name = data.withUnsafeBytes { Self.compression(ByteView(bytes: $0)) }
        guard let name, data.count > 148, data[data.startIndex + 84..<data.startIndex + 88] == Data("DX10".utf8) else {
            return data
        }
        return data.prefix(84) + Data(name.utf8) + data.dropFirst(88).prefix(40) + data.dropFirst(148)
    }

    /// Returns the name of a DDS file's compression; nil for none and for kinds that ImageMagick does not read.
    private static func compression(_ view: ByteView) -> String? {
        let names = ["DXT1", "DXT3", "DXT5"]
        guard view.has("DX10", at: 84), let number = view.number(at: 128, bytes: 4, isLittle: true) else {
            return names.first { view.has($0, at: 84) }
        }
        // Each kind has three numbers of DXGI: untyped, linear and in sRGB.
        return (70...78).contains(number) ? names[(number - 70) / 3] : nil
    }

    /// Returns the name of a DDS file's format if neither ImageMagick nor FFmpeg 5.1 reads it.
    ///
    /// Source: FFmpeg 5.1, `libavcodec/dds.c`; the numbers are those of Microsoft's `DXGI_FORMAT`.
    static func unreadDDS(_ view: ByteView) -> String? {
        guard view.has("DX10", at: 84) else {
            let names = "DXT1 DXT2 DXT3 DXT4 DXT5 RXGB ATI1 ATI2 BC4U BC4S BC5U BC5S UYVY YUY2 P8  "
            guard !names.split(separator: " ").contains(where: { view.has(String($0), at: 84) }) else { return nil }
            return view.number(at: 84, bytes: 4, isLittle: true).flatMap { $0 == 0 ? nil : String($0) }
        }
        guard let number = view.number(at: 128, bytes: 4, isLittle: true) else { return nil }
        switch number {
        case 9...14, 27...32, 70...85, 87, 88, 90...93: return nil
        case 94...96: return "BC6H"
        case 97...99: return "BC7"
        default: return "DXGI \(number)"
        }
    }

    /// Returns a BMP file as ImageMagick requires: its real size, one plane, alpha's mask in a longer header.
    private func withFileSize(_ data: Data) -> Data {
        guard data.count >= 26, data.count <= UInt32.max else { return data }
        var file = Data(data)
        for index in 0..<4 { file[2 + index] = UInt8(truncatingIfNeeded: data.count >> (index * 8)) }
        guard file.count >= 34, file[14] >= 40 else { return file }
        (file[26], file[27]) = (1, 0)
        if file[30...].starts(with: [6, 0, 0, 0]) { (file[14], file[30]) = (max(56, file[14]), 3) }
        return file
    }

    /// Returns a TGA file without a colour map that its pixels do not use; with one, ImageMagick takes them for indices.
    private func withoutUnusedMap(_ data: Data) -> Data {
        let head = Array(data.prefix(18))
        guard head.count == 18, head[1] == 1, ![1, 9].contains(head[2]) else { return data }
        let mapBytes = (Int(head[5]) | Int(head[6]) << 8) * ((Int(head[7]) + 7) / 8)
        let name = data.dropFirst(18).prefix(Int(head[0]))
        return [head[0], 0, head[2], 0, 0, 0, 0, 0] + head[8...] + name + data.dropFirst(18 + name.count + mapBytes)
    }

    /// Returns an XPM file with an opening comment, by which ImageMagick detects the format.
    private func withOpeningComment(_ data: Data) -> Data {
        let mark = Data("/* XPM */".utf8)
        return data.starts(with: mark) ? data : mark + Data([UInt8(ascii: "\n")]) + data
    }

    /// Returns an XBM file in the form that ImageMagick reads: sizes, a type, and the numbers in lines of their own.
    private func withPlainHeader(_ data: Data) -> Data {
        guard let size = XBMHeader(Array(data.prefix(FormatSignatures.bytesNeeded)))?.size,
            let brace = data.firstIndex(of: UInt8(ascii: "{"))
        else { return data }
        let type = data[..<brace].suffix(64).firstRange(of: Data("short".utf8)) == nil ? "char" : "short"
        let head = "#define a_width \(size.width)\n#define a_height \(size.height)\nstatic \(type) a_bits[] = {\n"
        return Data(head.utf8) + data[(brace + 1)...].map { $0 == UInt8(ascii: "X") ? UInt8(ascii: "x") : $0 }
    }

    /// Returns the pixels without what ImageMagick 6.9 and FFmpeg 5.1 make of them.
    func corrected(_ pixels: PixelBuffer, _ data: Data) -> PixelBuffer {
        guard let change = data.withUnsafeBytes({ correction(ByteView(bytes: $0)) }) else { return pixels }
        var pixels = pixels
        pixels.withMutableBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 4) { change(&bytes, offset) }
        }
        return pixels
    }

    /// Returns what is to be done to each pixel; nil for nothing.
    private func correction(_ view: ByteView) -> ((inout UnsafeMutableBufferPointer<UInt8>, Int) -> Void)? {
        func number(_ place: Int, _ count: Int) -> Int? { view.number(at: place, bytes: count, isLittle: true) }
        switch format {
        // The bit 0 means black, not white.
        case .pcx where number(3, 1) == 1 && number(65, 1) == 1:
            return { bytes, pixel in for index in pixel..<pixel + 3 { bytes[index] = 255 - bytes[index] } }
        // The fourth byte of an uncompressed pixel, and the sixteenth bit of a TGA's, is not alpha.
        case .bmp where number(28, 2) == 32 && number(30, 4) == 0 && number(14, 4) ?? 0 >= 40,
            .tga where number(16, 1) == 16 || number(1, 1) == 1 && number(7, 1) == 16:
            return { bytes, pixel in bytes[pixel + 3] = 255 }
        // ImageMagick does not spread a field of few bits over all values, except some within pixels of 16 bits.
        case .bmp where number(30, 4) == 3 && number(14, 4) != 64:
            let masks = [54, 58, 62, 66].prefix(number(14, 4) ?? 0 < 56 ? 3 : 4).map { number($0, 4) ?? 0 }
            let most = masks.enumerated().map { index, mask in
                let bits = mask.nonzeroBitCount
                let isSpread = number(28, 2) == 16 && (bits == 5 && index < 3 || bits == 6 && index == 1)
                return 1...7 ~= bits && !isSpread ? 256 - 256 >> bits : 255
            }
            guard most.contains(where: { $0 < 255 }) else { return nil }
            return { bytes, pixel in
                for (index, most) in zip(pixel..., most) {
                    bytes[index] = UInt8(min(255, (Int(bytes[index]) * 255 + most / 2) / most))
                }
            }
        // FFmpeg takes red for blue, and red for green.
        case .dds where view.has("DX10", at: 84) && (27...32).contains(number(128, 4) ?? 0):
            return { bytes, pixel in bytes.swapAt(pixel, pixel + 2) }
        case .dds where view.has("BC5U", at: 84):
            return { bytes, pixel in bytes.swapAt(pixel, pixel + 1) }
        default: return nil
        }
    }

    /// Returns whether ImageMagick reads the file; FFmpeg reads the others.
    ///
    /// ImageMagick reads DDS files with one of the oldest compressions, or with none unless they have a palette or pixels
    /// of 15 bits. It reads BMP files with these exceptions: a header of OS/2 2.x with usual compression, whose colours it
    /// gets wrong, and more colours than the pixels can name.
    func isReadByMagick(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            let view = ByteView(bytes: bytes)
            func number(_ place: Int, _ count: Int) -> Int { view.number(at: place, bytes: count, isLittle: true) ?? 0 }
            switch format {
            case .dds:
                let isPlain = number(84, 4) == 0 && number(80, 4) & 0x20 == 0
                return isPlain && number(92, 4) | number(104, 4) != 0x7C00 || Self.compression(view) != nil
            case .bmp:
                let (header, bits) = (number(14, 4), number(28, 2))
                // FFmpeg mistakes OS/2's own compressions for others, so ImageMagick reads such files.
                if header == 64 { return number(30, 4) > 2 }
                return header < 40 || bits > 8 || number(46, 4) <= 1 << bits
            default: return true
            }
        }
    }
}
