import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// The formats beyond the trusted ones, decoded in this process.
@Suite(.timeLimit(.minutes(1)))
struct StillFormatTests {
    private let decoder = CodecDecoder(formats: Set(ImageFormat.allCases))

    private func decode(
        _ bytes: [UInt8], within box: PixelSize? = nil, limits: DecodeLimits = .standard
    ) throws(CodecError) -> Image {
        try decoder.decode(Data(bytes), within: box, limits: limits)
    }

    private func colors(_ bytes: [UInt8]) throws -> [[UInt8]] {
        let pixels = try decode(bytes).pixels.bytes
        return stride(from: 0, to: pixels.count, by: 4).map { Array(pixels[$0..<$0 + 4]) }
    }

    private func little(_ values: Int..., bytes: Int) -> [UInt8] {
        values.flatMap { value in (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }

    private let red: [UInt8] = [255, 0, 0, 255]
    private let green: [UInt8] = [0, 255, 0, 255]
    private let blue: [UInt8] = [0, 0, 255, 255]
    private let white: [UInt8] = [255, 255, 255, 255]
    private let black: [UInt8] = [0, 0, 0, 255]

    // MARK: - Netpbm and QOI

    @Test(arguments: [
        "P1 2 2 01 10", "P2 2 2 9 9 0 0 9", "P3 # grey\n2 2 1 1 1 1 0 0 0 0 0 0 1 1 1",
        "P5 2 2 255\n\u{7F}\u{0}\u{0}\u{7F}",
        "P6 2 1 1\n\u{1}\u{1}\u{1}\u{0}\u{0}\u{0}",
    ])
    func `every kind of Netpbm file is decoded`(text: String) throws {
        let colors = try colors(Array(text.utf8))
        let light: UInt8 = text.hasPrefix("P5") ? 127 : 255
        #expect(colors.first == [light, light, light, 255])
        #expect(colors[1] == black)
    }

    @Test func `each row of a bitmap starts at a byte`() throws {
        #expect(try colors(Array("P4 1 2\n".utf8) + [0x80, 0]) == [black, white])
    }

    @Test func `a PAM file with alpha is decoded`() throws {
        let header = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
        #expect(try colors(Array(header.utf8) + [1, 2, 3, 4]) == [[1, 2, 3, 4]])
    }

    @Test func `linear samples are converted to sRGB and clipped at white`() throws {
        let samples = [Float(0.2159), 7].flatMap { little(Int($0.bitPattern), bytes: 4) }
        // Rows come from the bottom up.
        #expect(try colors(Array("Pf 1 2 -1.0\n".utf8) + samples) == [white, [128, 128, 128, 255]])
    }

    @Test func `every chunk type of a QOI file is decoded`() throws {
        let header: [UInt8] = Array("qoif".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 4, 0]
        let chunks: [UInt8] = [
            0xFE, 10, 20, 30,  // RGB
            0x40 | 3 << 4 | 2 << 2 | 1,  // red +1, green 0, blue −1
            0xA0 | 1, 0x88,  // green +1, red and blue as much
            0xFF, 1, 2, 3, 4,  // RGBA
            0xC1,  // twice more
        ]
        let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        #expect(
            try colors(header + chunks + end) == [
                [10, 20, 30, 255], [11, 20, 29, 255], [12, 21, 30, 255], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4],
            ])
        #expect(throws: CodecError.processor(.decodingFailed(format: "QOI", "the file is cut off"))) {
            try decode(header + chunks.prefix(5))
        }
    }

    // MARK: - Bitmaps of libvips and ImageMagick

    /// Two by two pixels from the bottom up: blue and white, then red and green.
    private func bitmap(width: Int = 2, height: Int = 2) -> [UInt8] {
        let header = little(40, width, height, bytes: 4) + little(1, 24, bytes: 2) + little(0, 16, 0, 0, 0, 0, bytes: 4)
        let rows: [UInt8] = [255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0]
        return Array("BM".utf8) + little(70, 0, 54, bytes: 4) + header + rows
    }

    @Test func `a BMP file is decoded regardless of its stated length`() throws {
        #expect(try colors(bitmap()) == [red, green, blue, white])
        var other = bitmap()
        other[2] = 9
        #expect(try colors(other) == [red, green, blue, white])
    }

    /// Returns a BMP file of four pixels with a palette; a header of 64 bytes is that of OS/2 2.x.
    private func paletteBitmap(header length: Int, colors: Int) -> [UInt8] {
        let fields = little(length, 2, 2, bytes: 4) + little(1, 8, bytes: 2) + little(0, 8, 0, 0, colors, 0, bytes: 4)
        let header = fields + [UInt8](repeating: 0, count: length - fields.count)
        let known: [UInt8] = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]
        let palette = known + [UInt8](repeating: 0, count: (colors - 4) * 4)
        let start = 14 + length + palette.count
        return Array("BM".utf8) + little(start + 8, 0, start, bytes: 4) + header + palette + [2, 3, 0, 0, 0, 1, 0, 0]
    }

    @Test(arguments: [(40, 4), (40, 256), (40, 300), (64, 4), (64, 256)])
    func `a BMP file with a palette is decoded, also with an OS/2 header`(header: Int, count: Int) throws {
        #expect(try colors(paletteBitmap(header: header, colors: count)) == [red, green, blue, white])
    }

    @Test func `OS/2 Huffman compression is refused`() throws {
        var file = paletteBitmap(header: 64, colors: 4)
        file[30] = 3
        #expect(throws: CodecError.self) { try decode(file) }
    }

    @Test func `sizes are checked before ImageMagick decodes a file`() throws {
        let large = bitmap(width: 30_000, height: 30_000)
        #expect(throws: CodecError.processor(.limitExceeded("900 MP, limit 100 MP; raise --max-pixels"))) {
            try decode(large)
        }
        let cut = bitmap(width: 30, height: 30)
        #expect(throws: CodecError.processor(.decodingFailed(format: "BMP", "the file is cut off"))) {
            try decode(cut)
        }
        #expect(try decoder.header(of: Data(bitmap()), limits: .standard).size == PixelSize(width: 2, height: 2))
    }

    @Test func `impossible sizes are refused`() throws {
        for (width, height, bits, pixels) in [
            (2_147_483_646, 1_073_741_825, 32, 0xFFFF_FFFF), (1_073_741_825, 2_147_483_646, 1, 54),
        ] {
            let header =
                little(40, width, height, bytes: 4) + little(1, bits, bytes: 2) + little(0, 0, 0, 0, 0, 0, bytes: 4)
            let file = Array("BM".utf8) + little(70, 0, pixels, bytes: 4) + header
            let declared = try #require(DeclaredHeader.read(Data(file)))
            #expect(declared.size == PixelSize(width: width, height: height))
            #expect(throws: CodecError.self) { try decode(file) }
        }
    }

    @Test func `a bottom-up TGA file is decoded upright`() throws {
        let header: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 24, 0]
        #expect(try colors(header + [255, 0, 0, 0, 0, 255]) == [red, blue])
    }

    @Test func `set bits of an XBM file are black`() throws {
        let text = "/* a */\n#define a_width 2\n#define a_height 1\nstatic char a_bits[] = { 0x01 };\n"
        #expect(try colors(Array(text.utf8)) == [black, white])
        let old = "#define a_width 2\n#define a_height 2\nstatic short a_bits[] = {\n 0x0001, 0xFF02};\n"
        #expect(try colors(Array(old.utf8)) == [black, white, white, black])
    }

    @Test(arguments: ["/* XPM */\n", ""])
    func `an XPM file may be transparent and may lack its comment`(comment: String) throws {
        let text = "\(comment)static char *a[] = {\n\"2 1 2 1\",\n\"a c #FF0000\",\n\"b c None\",\n\"ab\"};\n"
        let colors = try colors(Array(text.utf8))
        #expect(colors.first == red)
        #expect(colors.last?.last == 0)
    }

    @Test func `the orientation of a TIFF file is applied`() throws {
        let tags: [(Int, Int, Int, Int)] = [
            (256, 3, 1, 2), (257, 3, 1, 1), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
            (274, 3, 1, 6), (277, 3, 1, 1), (278, 3, 1, 1), (279, 4, 1, 2),
        ]
        let entries = tags.flatMap { little($0.0, $0.1, bytes: 2) + little($0.2, $0.3, bytes: 4) }
        let file =
            Array("II*\0".utf8) + little(10, bytes: 4) + [0, 255] + little(tags.count, bytes: 2) + entries
            + little(0, bytes: 4)
        let image = try decode(file)
        #expect(image.size == PixelSize(width: 1, height: 2) && image.format == .tiff)
        #expect(try colors(file) == [black, white])
    }

    @Test(arguments: [2, 6])
    func `a TIFF file that libvips refuses is decoded by another library or reported as unsupported`(colors: Int) throws
    {
        // Tiles with separate planes; RGB, or YCbCr, which no library reads.
        let tags: [(Int, Int, Int, Int)] = [
            (256, 3, 1, 16), (257, 3, 1, 16), (258, 3, 3, 146), (259, 3, 1, 1), (262, 3, 1, colors), (277, 3, 1, 3),
            (284, 3, 1, 2), (322, 3, 1, 16), (323, 3, 1, 16), (324, 4, 3, 152), (325, 4, 3, 164),
        ]
        let directory = tags.flatMap { little($0.0, $0.1, bytes: 2) + little($0.2, $0.3, bytes: 4) }
        let planes = [255, 0, 0].flatMap { [UInt8](repeating: $0, count: 256) }
        let file =
            Array("II*\0".utf8) + little(8, bytes: 4) + little(tags.count, bytes: 2) + directory + little(0, bytes: 4)
            + little(8, 8, 8, bytes: 2) + little(176, 432, 688, bytes: 4) + little(256, 256, 256, bytes: 4) + planes
        guard colors == 2 else {
            let error = #expect(throws: CodecError.self) { try decode(file) }
            guard case .processor(.decoderUnavailable)? = error else { throw try #require(error) }
            return
        }
        let image = try decode(file)
        #expect(
            image.size == PixelSize(width: 16, height: 16) && image.pixels[9, 9] == Color(red: 255, green: 0, blue: 0))
        var limits = DecodeLimits.standard
        limits.pixels = 255
        let error = #expect(throws: CodecError.self) { try decode(file, limits: limits) }
        guard case .processor(.limitExceeded)? = error else { throw try #require(error) }
    }

    @Test func `the largest picture of an icon is shown`() throws {
        let picture = Array(try Pictures.png(width: 48, height: 48))
        let small =
            little(40, 1, 2, bytes: 4) + little(1, 32, bytes: 2) + little(0, 0, 0, 0, 0, 0, bytes: 4)
            + [0, 0, 255, 255, 0, 0, 0, 0]
        func icon(_ side: UInt8, _ count: Int, _ offset: Int) -> [UInt8] {
            [side, side, 0, 0, 1, 0, 32, 0] + little(count, offset, bytes: 4)
        }
        let both =
            [0, 0, 1, 0, 2, 0] + icon(1, small.count, 38) + icon(48, picture.count, 38 + small.count) + small + picture
        let image = try decode(both)
        #expect(image.size == PixelSize(width: 48, height: 48) && image.format == .ico)
        #expect(try colors([0, 0, 2, 0, 1, 0] + icon(1, small.count, 22) + small) == [red])
        let short = little(12, bytes: 4) + little(1, 1, 1, 1, bytes: 2)
        #expect(throws: CodecError.self) { try decode([0, 0, 1, 0, 1, 0] + icon(1, short.count, 22) + short) }
        #expect(throws: CodecError.processor(.decodingFailed(format: "ICO", "the file is cut off"))) {
            try decode(Array(both.dropLast(9)))
        }
    }

    @Test func `a truncated file shows its beginning if damage is allowed`() throws {
        var limits = DecodeLimits.standard
        limits.allowsDamage = true
        let files: [[UInt8]] = [
            bitmap().dropLast(8), Array("P3 2 2 1 0 0 1 1 1 1 1".utf8), Array("P6 2 2 255\n".utf8) + [0, 0, 255, 255],
            Array("qoif".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 4, 0, 0xFE, 0, 0, 255],
        ]
        for file in files {
            let image = try decode(file, limits: limits)
            #expect(image.damage == .incomplete("the file is cut off"))
            #expect(image.pixels[0, image.format == .bmp ? 1 : 0] == Color(red: 0, green: 0, blue: 255))
            #expect(throws: CodecError.self) { try decode(file) }
        }
    }

    @Test func `a truncated file for libvips shows the rows before the cut if damage is allowed`() throws {
        var limits = DecodeLimits.standard
        limits.allowsDamage = true
        let radiance = Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 40 +X 4\n".utf8)
        // The brightness 1, with an exponent of 129.
        let row: [UInt8] = Array([[128, 128, 128, 129]].joined())
        let tags: [(Int, Int, Int, Int)] = [
            (256, 3, 1, 4), (257, 3, 1, 40), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 10, 122),
            (277, 3, 1, 1), (278, 3, 1, 4), (279, 4, 10, 162),
        ]
        let directory = tags.flatMap { little($0.0, $0.1, bytes: 2) + little($0.2, $0.3, bytes: 4) }
        let tiff =
            Array("II*\0".utf8) + little(8, bytes: 4) + little(tags.count, bytes: 2) + directory
            + little(0, bytes: 4) + (0..<10).flatMap { little(202 + $0 * 16, bytes: 4) }
            + (0..<10).flatMap { _ in little(16, bytes: 4) } + [UInt8](repeating: 255, count: 80)
        for file in [radiance + (0..<80).flatMap { _ in row }, tiff] {
            let image = try decode(file, limits: limits)
            #expect(image.damage?.affectsPixels == true && image.size == PixelSize(width: 4, height: 40))
            #expect(image.pixels[0, 0] == Color(red: 255, green: 255, blue: 255))
            #expect(image.pixels[0, 39].alpha == 0)
            #expect(throws: CodecError.self) { try decode(file) }
        }
    }

    // MARK: - Vector graphics and libraries

    @Test func `an SVG file is drawn at the target size and cannot read other files`() throws {
        let text = """
            <?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'>
            <rect width='40' height='20' fill='#f00'/><image href='file:///etc/hostname' width='40' height='20'/></svg>
            """
        let image = try decode(Array(text.utf8), within: PixelSize(width: 10, height: 10))
        #expect(image.originalSize == PixelSize(width: 40, height: 20))
        #expect(
            image.pixels
                == PixelBuffer(size: PixelSize(width: 10, height: 5), filledWith: Color(red: 255, green: 0, blue: 0)))
    }

    @Test func `an icon whose alpha is zero everywhere uses its mask`() throws {
        // Two pixels of 32 bits, of which the mask hides the second.
        let header = little(40, bytes: 4) + little(2, bytes: 4) + little(2, bytes: 4) + little(1, 32, bytes: 2)
        let bitmap =
            header + [UInt8](repeating: 0, count: 24) + [0, 0, 255, 0, 0, 255, 0, 0] + [0x40, 0, 0, 0]
        let file =
            little(0, 1, 1, bytes: 2) + [2, 1, 0, 0] + little(1, 32, bytes: 2) + little(bitmap.count, 22, bytes: 4)
            + bitmap
        let colors = try colors(file)
        #expect(colors[0] == red && colors[1][3] == 0)
    }

    @Test(arguments: [3, 11]) func `TGA with grey and alpha is decoded`(kind: UInt8) throws {
        let head: [UInt8] = [0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 16, 8]
        let pixels: [UInt8] = kind == 3 ? [100, 255, 200, 50] : [0, 100, 255, 0x80, 200, 50]
        // The footer makes a short file known.
        let file = head + pixels + [UInt8](repeating: 0, count: 8) + Array("TRUEVISION-XFILE.\0".utf8)
        #expect(try colors(file) == [[100, 100, 100, 255], [200, 200, 200, 50]])
    }

    @Test(
        arguments: [
            (LibrarySamples.avif, .avif), (LibrarySamples.jpegXL, .jpegXL), (LibrarySamples.jpeg2000, .jpeg2000),
            (LibrarySamples.jpeg2000WithOffset, .jpeg2000),
        ] as [(Data, ImageFormat)])
    func `a format of another library is decoded`(file: Data, format: ImageFormat) throws {
        let image = try decode(Array(file))
        #expect(image.format == format && image.size == PixelSize(width: 4, height: 3))
        let color = image.pixels[1, 1]
        #expect(abs(Int(color.red) - 220) < 2 && abs(Int(color.green) - 30) < 2 && abs(Int(color.blue) - 40) < 2)
        #expect(throws: CodecError.self) { try decode(Array(file.dropLast(12))) }
        #expect(throws: CodecError.self) { try CodecDecoder().decode(file, within: nil, limits: .standard) }
    }

    // MARK: - Animations and video

    @Test(
        arguments: [
            (LibrarySamples.avifSequence, .avif), (LibrarySamples.jpegXLAnimation, .jpegXL),
        ] as [(Data, ImageFormat)])
    func `frames can be decoded in any order`(file: Data, format: ImageFormat) throws {
        let image = try decode(Array(file))
        let animation = try #require(image.animation)
        #expect(image.format == format && image.frameCount == 2)
        #expect(animation.delays == [.milliseconds(100), .milliseconds(100)])

        var reader = try animation.frameReader(within: nil, limits: .standard)
        let colors = try [1, 0, 0, 1].map { index in
            let frame = try reader.frame(at: index)
            return frame[1, 1].red > frame[1, 1].blue ? "red" : "blue"
        }

        #expect(colors == ["blue", "red", "red", "blue"])
    }

    @Test func `a video shows its cover picture, or a frame if the cover is damaged`() throws {
        let cover = try decode(Array(LibrarySamples.mp4WithCover))
        #expect(cover.size == PixelSize(width: 16, height: 16) && cover.pixels[8, 8].blue > 200)
        var file = LibrarySamples.mp4WithCover
        let start = try #require(file.firstRange(of: [0xFF, 0xD8, 0xFF])?.lowerBound)
        for place in start..<start + 200 { file[place] = 0 }
        let frame = try decode(Array(file))
        #expect(frame.size == PixelSize(width: 32, height: 24) && frame.pixels[8, 8].red > 200)
    }

    @Test func `a video without a cover shows a frame`() throws {
        let image = try decode(Array(LibrarySamples.webM))
        #expect(image.format == .video && image.size == PixelSize(width: 16, height: 12) && image.frameCount == 1)
        let color = image.pixels[8, 6]
        #expect(abs(Int(color.red) - 220) < 4 && abs(Int(color.green) - 30) < 4 && abs(Int(color.blue) - 40) < 4)
    }

    // MARK: - High dynamic range

    /// Sets the code points of a colour space after a mark in a file.
    private func stating(_ points: [UInt8], after mark: [UInt8], in file: Data) throws -> Data {
        var file = file
        let place = try #require(file.firstRange(of: mark)?.upperBound)
        file.replaceSubrange(place..<place + points.count, with: points)
        return file
    }

    @Test(arguments: [[9, 16], [9, 18], [12, 13]] as [[UInt8]])
    func `an AVIF file has the colours of a PNG with the same code points`(points: [UInt8]) throws {
        let file = LibrarySamples.avif
        let plain = try decode(Array(file)).pixels
        let wide = try decode(Array(try stating([0, points[0], 0, points[1]], after: Array("nclx".utf8), in: file)))
        let png = PNGFile(
            width: UInt32(plain.size.width), height: UInt32(plain.size.height), depth: 8, type: .colourAlpha,
            rows: (0..<plain.size.height).map {
                Array(plain.bytes[$0 * plain.size.width * 4..<($0 + 1) * plain.size.width * 4])
            }
        ).data
        let stated = png.prefix(33) + PNGFile.chunk("cICP", points + [0, 1]) + png.dropFirst(33)

        #expect(wide.pixels == (try decode(Array(stated)).pixels))
        #expect(wide.pixels != plain)
    }

    @Test func `an HDR JPEG XL file has the colours of an AVIF file with the same samples`() throws {
        let avif = try stating([0, 9, 0, 16], after: Array("nclx".utf8), in: LibrarySamples.avif)
        let image = try decode(Array(LibrarySamples.jpegXLHDR))
        #expect(image.pixels == (try decode(Array(avif)).pixels))
        #expect(image.color?.profile == "BT.2020 PQ")
    }

    @Test func `an HDR video is tone-mapped to sRGB`() throws {
        let file = LibrarySamples.webMHDR
        let transfer: [UInt8] = [0x55, 0xBA, 0x81], primaries: [UInt8] = [0x55, 0xBB, 0x81]
        let plain = try stating([2], after: primaries, in: stating([2], after: transfer, in: file))
        var expected = try decode(Array(plain)).pixels
        let conversion = try #require(ColorConversion(primaries: 9, transfer: 16))
        expected.withMutableBytes { conversion.convert(UnsafeMutableRawBufferPointer($0)) }

        #expect(try decode(Array(plain)).pixels == decode(Array(LibrarySamples.webM)).pixels)
        #expect(try decode(Array(file)).pixels == expected)
    }

    @Test func `a lossless JPEG is decoded only if other formats are allowed`() throws {
        let image = try decode(Array(LibrarySamples.losslessJPEG))
        #expect(image.format == .jpeg && image.color == ColorFacts(.grey, bits: 8))
        #expect((0..<4).map { image.pixels[$0, 0].red } == [0, 80, 160, 255])
        #expect(throws: CodecError.processor(.decoderUnavailable("lossless JPEG is not supported by libjpeg-turbo 2")))
        {
            try CodecDecoder().decode(LibrarySamples.losslessJPEG, within: nil, limits: .standard)
        }
    }

    @Test(
        arguments: [
            (
                120,
                CodecError.processor(.decoderUnavailable("DDS of the format DXGI 120 is not read"))
            ),
            (98, .processor(.decoderUnavailable("DDS of the format BC7 is not read"))),
        ] as [(Int, CodecError)])
    func `an unsupported DDS format is refused by name`(compression: Int, error: CodecError) {
        let start =
            Array("DDS ".utf8) + little(124, 0x81007, 4, 4, 8, 0, 1, bytes: 4) + [UInt8](repeating: 0, count: 44)
        let kind = little(32, 4, bytes: 4) + Array("DX10".utf8) + [UInt8](repeating: 0, count: 20)
        let file = start + kind + little(0x1000, 0, 0, 0, 0, bytes: 4) + little(compression, 3, 0, 1, 0, bytes: 4)
        #expect(throws: error) { try decode(file + [UInt8](repeating: 1, count: 64)) }
    }

    @Test func `a DDS with an extended header is decoded, and reported if truncated`() throws {
        let start =
            Array("DDS ".utf8) + little(124, 0x81007, 4, 4, 8, 0, 1, bytes: 4) + [UInt8](repeating: 0, count: 44)
        let kind = little(32, 4, bytes: 4) + Array("DX10".utf8) + [UInt8](repeating: 0, count: 20)
        let file =
            start + kind + little(0x1000, 0, 0, 0, 0, bytes: 4) + little(71, 3, 0, 1, 0, bytes: 4)
            + little(0xF800, 0x001F, bytes: 2) + little(0, bytes: 4)
        #expect(try colors(file) == Array(repeating: red, count: 16))
        #expect(throws: CodecError.processor(.decodingFailed(format: "DDS", "the file is cut off"))) {
            try decode(Array(file.dropLast(4)))
        }
    }

    @Test(arguments: [LibrarySamples.avifSequence, LibrarySamples.jpegXLAnimation, LibrarySamples.webM])
    func `a truncated animation or video is refused or partially shown`(file: Data) {
        for length in stride(from: 16, to: file.count, by: 7) {
            let image = try? decode(Array(file.prefix(length)))
            #expect(image.map { $0.size.area > 0 } ?? true)
        }
    }

    @Test(
        arguments: [
            (LibrarySamples.jpegXLAnimation, 38),
            (LibrarySamples.jpegXLAnimation, LibrarySamples.jpegXLAnimation.count - 1),
            (LibrarySamples.avifSequence, 1_830), (LibrarySamples.webM, 500),
            (LibrarySamples.losslessJPEG, 60),
        ] as [(Data, Int)])
    func `a truncated animation, video or lossless JPEG is reported as damaged`(file: Data, length: Int) {
        var limits = DecodeLimits.standard
        limits.allowsDamage = true
        let image = try? decode(Array(file.prefix(length)), limits: limits)
        #expect(image.map { $0.damage?.affectsPixels == true } ?? true)
        #expect((try? decode(Array(file), limits: limits))?.damage == nil)
        #expect(throws: CodecError.self) { try decode(Array(file.prefix(length))) }
    }

    @Test func `frames of another library's animation follow the loading options`() throws {
        func animation(_ loading: AnimationLoading) throws -> Animation? {
            try decoder.decode(
                LibrarySamples.jpegXLAnimation, within: nil, limits: .standard, animation: loading
            ).animation
        }
        #expect(try animation(AnimationLoading(onlyFirstFrame: true)) == nil)
        #expect(try animation(AnimationLoading(preloadsAllFrames: true))?.frames.count == 2)
        #expect(try animation(AnimationLoading())?.frames.isEmpty == true)
    }

    @Test func `limits apply to frames`() {
        var limits = DecodeLimits.standard
        limits.frames = 1
        #expect(throws: CodecError.processor(.limitExceeded("more than 1 frames; raise --max-frames"))) {
            try decode(Array(LibrarySamples.avifSequence), limits: limits)
        }
        limits.pixels = 100
        #expect(throws: CodecError.processor(.limitExceeded("192 pixels, limit 100 pixels; raise --max-pixels"))) {
            try decode(Array(LibrarySamples.webM), limits: limits)
        }
    }

    // MARK: - DDS that only FFmpeg reads

    @Test func `a DDS with pixels of 15 bits is read`() throws {
        let head =
            Array("DDS ".utf8) + little(124, 0x100F, 1, 4, 8, 0, 1, bytes: 4) + [UInt8](repeating: 0, count: 44)
            + little(32, 0x40, 0, 16, 0x7C00, 0x3E0, 0x1F, 0, bytes: 4) + little(0x1000, 0, 0, 0, 0, bytes: 4)
        let pixels = little(0x7C00, 0x83E0, 0x001F, 0x7FFF, bytes: 2)
        #expect(try colors(head + pixels) == [red, green, blue, white])
    }

    @Test func `a DDS with a palette shows its colours`() throws {
        let head =
            Array("DDS ".utf8) + little(124, 0x100F, 1, 4, 4, 0, 1, bytes: 4) + [UInt8](repeating: 0, count: 44)
            + little(32, 0x20, 0, 8, 0, 0, 0, 0, bytes: 4) + little(0x1000, 0, 0, 0, 0, bytes: 4)
        let palette = red + green + blue + white + [UInt8](repeating: 9, count: 252 * 4)
        #expect(try colors(head + palette + [3, 2, 1, 0]) == [white, blue, green, red])
    }
}
