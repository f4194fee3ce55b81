import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// Files of which an independent decoder told other pixels, or another verdict.
@Suite(.timeLimit(.minutes(1)))
struct OddFileTests {
    private let decoder = CodecDecoder(formats: Set(ImageFormat.allCases))

    private func decode(_ bytes: some Sequence<UInt8>) throws -> Image {
        try decoder.decode(Data(bytes), within: nil, limits: .standard)
    }

    private func facts(_ data: Data) throws -> FileFacts {
        try decoder.facts(of: data, .pixels, limits: .standard)
    }

    private func little(_ values: Int..., bytes: Int) -> [UInt8] {
        values.flatMap { value in (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }

    // MARK: - Alpha and profiles

    @Test(arguments: [PNGFile.ColorType.colourAlpha, .greyAlpha], [true, false])
    func `alpha of sixteen bits is kept beside a profile`(type: PNGFile.ColorType, hasProfile: Bool) throws {
        guard type == .colourAlpha || !hasProfile else { return }
        let color = [UInt8](repeating: 0x80, count: type == .colourAlpha ? 6 : 2)
        let row = (0..<4).flatMap { color + [[0x00, 0x40, 0xD9, 0xFF][$0], 0x00] as [UInt8] }
        let file = PNGFile(
            width: 4, height: 1, depth: 16, type: type, profile: hasProfile ? ColorProfile.swappedPrimaries : [],
            rows: [row])
        let pixels = try decode(file.data).pixels
        let alphas = (0..<4).map { Int(pixels[$0, 0].alpha) }
        for (alpha, wanted) in zip(alphas, [0, 64, 217, 254]) { #expect(abs(alpha - wanted) <= 1, "\(alphas)") }
    }

    @Test(arguments: [8, 16], [4, 5])
    func `inks without a profile let the colour through that they do not hold back`(bits: Int, bands: Int) throws {
        func pixel(_ inks: Int...) -> [UInt8] {
            let samples = inks + (bands == 5 ? [128] : [])
            return samples.flatMap { little($0 * (bits == 16 ? 257 : 1), bytes: bits / 8) }
        }
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 3, height: 1, bits: bits, channels: bands, photometric: 5,
                samples: pixel(255, 0, 0, 0) + pixel(0, 0, 0, 51) + pixel(0, 128, 255, 102),
                fields: bands == 5 ? [.short(338, 2)] : []))
        let pixels = try decode(file.data).pixels
        let alpha: UInt8 = bands == 5 ? 128 : 255
        #expect(pixels[0, 0] == Color(red: 0, green: 255, blue: 255, alpha: alpha))
        #expect(pixels[1, 0] == Color(red: 204, green: 204, blue: 204, alpha: alpha))
        #expect(pixels[2, 0] == Color(red: 153, green: 76, blue: 0, alpha: alpha))
    }

    @Test func `samples of eight bits are unsigned, even if a file calls them signed`() throws {
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 3, height: 1, bits: 8, channels: 3, format: 2, photometric: 2,
                samples: [0, 100, 127, 128, 200, 255, 1, 2, 3], fields: []))
        let pixels = try decode(file.data).pixels
        #expect(pixels[0, 0] == Color(red: 0, green: 100, blue: 127))
        #expect(pixels[1, 0] == Color(red: 128, green: 200, blue: 255))
    }

    // MARK: - PNG of Apple's own kind

    /// A PNG as in packages for iOS: a chunk before the header, and stored deflate blocks without zlib's frame.
    private func applePNG(type: UInt8, depth: UInt8 = 8, rows: [[UInt8]], width: Int) -> [UInt8] {
        let samples = rows.flatMap { [0] + $0 } as [UInt8]
        let lengths = little(samples.count, ~samples.count & 0xFFFF, bytes: 2)
        let packed = [1] + lengths + samples
        let sides = PNGChunks.bigEndian(width) + PNGChunks.bigEndian(rows.count)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + PNGChunks.chunk(0x4367_4249, [0x50, 0, 0x20, 2])
            + PNGChunks.chunk(PNGChunks.ChunkName.header, sides + [depth, type, 0, 0, 0])
            + PNGChunks.chunk(PNGChunks.ChunkName.pixels, packed) + PNGChunks.chunk(PNGChunks.ChunkName.end, [])
    }

    @Test func `a PNG out of an iOS package has its own order of colours, premultiplied`() throws {
        let file = applePNG(
            type: 6, rows: [[30, 20, 10, 255, 60, 40, 20, 128, 0, 0, 0, 0, 200, 0, 0, 100]], width: 4)
        let pixels = try decode(file).pixels
        #expect(pixels[0, 0] == Color(red: 10, green: 20, blue: 30))
        #expect(pixels[1, 0] == Color(red: 40, green: 80, blue: 120, alpha: 128))
        #expect(pixels[2, 0].alpha == 0)
        // More colour than alpha allows is clamped.
        #expect(pixels[3, 0] == Color(red: 0, green: 0, blue: 255, alpha: 100))
        #expect(DeclaredHeader.read(Data(file))?.size == PixelSize(width: 4, height: 1))
        #expect(try facts(Data(file)).damage == nil)
    }

    @Test func `a PNG out of an iOS package may be opaque or have a palette or grey samples`() throws {
        let opaque = try decode(applePNG(type: 2, rows: [[3, 2, 1], [6, 5, 4]], width: 1))
        #expect(opaque.pixels[0, 1] == Color(red: 4, green: 5, blue: 6))
        let grey = try decode(applePNG(type: 0, rows: [[77]], width: 1))
        #expect(grey.pixels[0, 0] == Color(red: 77, green: 77, blue: 77))
    }

    @Test func `what is not read of a PNG out of an iOS package is called so`() {
        let file = applePNG(type: 2, depth: 16, rows: [[0, 3, 0, 2, 0, 1]], width: 1)
        let error = #expect(throws: CodecError.self) { try decode(file) }
        #expect("\(error as Any)".contains("(CgBI)"))
    }

    // MARK: - Verdicts

    @Test func `a check finds damage of later frames`() throws {
        var gif = GIFWriter.moving(5, width: 12, height: 8)
        #expect(try facts(gif.data).damage == nil)
        // A code that the table does not hold yet.
        gif.frames[3].indices[5] = 250
        let damaged = try facts(gif.data)
        #expect(damaged.damage?.affectsPixels == true && damaged.header.frameCount == 5)

        let png = APNGWriter(width: 4, height: 4, frames: (0..<4).map { _ in .init(picture: Pictures.noise(4, 4)) })
        #expect(try facts(png.data).damage == nil)
        var broken = png.data
        // A wrong checksum of the last frame's pixels.
        let place = try #require(broken.ranges(of: Data("fdAT".utf8)).last).upperBound + 8
        broken[place] ^= 1
        #expect(try facts(broken).damage?.affectsPixels == true)
    }

    @Test func `a check finds damage of later pages`() throws {
        var file = TIFFWriter()
        for page in 0..<3 {
            file.add(
                TIFFWriter.Page(
                    width: 40, height: 40, bits: 8, samples: [UInt8](repeating: UInt8(page), count: 1600),
                    fields: page == 2 ? [.long(273, 1 << 20)] : []))
        }
        let found = try facts(file.data)
        #expect(found.header.pageCount == 3)
        #expect(found.damage?.affectsPixels == true)
    }

    @Test func `zeros before the end mark of a JPEG are no damage, other bytes are`() throws {
        let file = try Pictures.asset("dunes-at-noon.jpg")
        func with(_ bytes: [UInt8]) -> Data { file.dropLast(2) + Data(bytes) + file.suffix(2) }
        #expect(try facts(with([UInt8](repeating: 0, count: 16))).damage == nil)
        #expect(try decode(with([UInt8](repeating: 0, count: 16))).pixels == decode(file).pixels)
        #expect(try facts(with(Array(1...32))).damage?.affectsPixels == true)
    }

    @Test(arguments: [
        (Array("SIMPLE  =                    T".utf8), "FITS, which is not read"),
        (Array("%!PS-Adobe-3.0 EPSF-3.0\n".utf8), "PostScript, which is not read"),
        ([0x01, 0xDA, 1, 1, 0, 3] as [UInt8] + [UInt8](repeating: 0, count: 90), "SGI, which is not read"),
        (Array("just words, no picture here".utf8), "text"),
    ])
    func `a picture of a format that is not read is called so`(bytes: [UInt8], words: String) {
        #expect(throws: CodecError.notAnImage(words)) { try decode(bytes) }
    }

    // MARK: - Bitmaps and icons

    private func bitmap(_ compression: Int, header: Int = 40, _ pixels: [UInt8], rows: Int = 1) -> [UInt8] {
        little(header, pixels.count / 4, rows, bytes: 4) + little(1, 32, bytes: 2)
            + little(compression, 0, 0, 0, 0, 0, bytes: 4) + [UInt8](repeating: 0, count: header - 40) + pixels
    }

    @Test func `the fourth byte of an uncompressed bitmap is not alpha`() throws {
        let content = bitmap(0, [1, 2, 3, 0, 4, 5, 6, 77])
        let file = Array("BM".utf8) + little(14 + content.count, 0, 54, bytes: 4) + content
        #expect(try decode(file).pixels.bytes == [3, 2, 1, 255, 6, 5, 4, 255])
    }

    @Test func `the sixteenth bit of a TGA pixel is not alpha`() throws {
        let head: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 16, 1]
        let file =
            head + [0x00, 0x7C, 0x1F, 0x80] + [UInt8](repeating: 0, count: 8) + Array("TRUEVISION-XFILE.\0".utf8)
        #expect(try decode(file).pixels.bytes == [255, 0, 0, 255, 0, 0, 255, 255])
    }

    /// Two pixels of grey or colours, packed or not, behind a colour map of three entries.
    @Test(arguments: [2, 3, 10, 11] as [UInt8], [16, 24, 32] as [UInt8])
    func `a TGA with a colour map that its pixels do not use is read`(kind: UInt8, mapBits: UInt8) throws {
        let isGrey = kind % 8 == 3
        let map = [UInt8](repeating: 0x5A, count: 3 * Int(mapBits) / 8)
        let head: [UInt8] = [2, 1, kind, 0, 0, 3, 0, mapBits, 0, 0, 0, 0, 2, 0, 1, 0, isGrey ? 8 : 24, 0]
        let pixels: [UInt8] = isGrey ? [10, 200] : [10, 20, 30, 200, 100, 50]
        let file = head + Array("id".utf8) + map + (kind > 8 ? [1] : []) + pixels
        let wanted: [UInt8] = isGrey ? [10, 10, 10, 255, 200, 200, 200, 255] : [30, 20, 10, 255, 50, 100, 200, 255]
        #expect(try decode(file).pixels.bytes == wanted)
    }

    /// An icon file of bitmaps whose directory says nothing of their bits.
    private func icons(_ bitmaps: [[UInt8]], statedBytes: Int? = nil) -> [UInt8] {
        var (file, offset) = (little(0, 1, bitmaps.count, bytes: 2), 6 + 16 * bitmaps.count)
        for bitmap in bitmaps {
            file += [1, 1, 0, 0] + little(1, 0, bytes: 2) + little(statedBytes ?? bitmap.count, offset, bytes: 4)
            offset += bitmap.count
        }
        return file + bitmaps.flatMap { $0 }
    }

    @Test func `of icons of one size that with the most bits comes first`() throws {
        let small =
            little(40, 1, 2, bytes: 4) + little(1, 24, bytes: 2) + little(0, 0, 0, 0, 0, 0, bytes: 4)
            + [0, 255, 0, 0, 0, 0, 0, 0]
        let large = bitmap(0, [0, 0, 255, 255], rows: 2) + [0, 0, 0, 0]
        #expect(try decode(icons([small, large])).pixels.bytes == [255, 0, 0, 255])
        #expect(try decode(icons([large, small])).pixels.bytes == [255, 0, 0, 255])
    }

    @Test func `an icon with a long header, and one whose directory states wrong bytes, are read`() throws {
        let long = bitmap(0, header: 124, [0, 0, 255, 255], rows: 2) + [0, 0, 0, 0]
        #expect(try decode(icons([long])).pixels.bytes == [255, 0, 0, 255])
        let plain = bitmap(0, [0, 0, 255, 255], rows: 2) + [0, 0, 0, 0]
        for count in [0, 7, 45, 9_999] {
            #expect(try decode(icons([plain], statedBytes: count)).pixels.bytes == [255, 0, 0, 255])
        }
    }

    /// An icon of one pixel with a mask, of 24 bits or with a palette.
    @Test(arguments: [24, 8]) func `an icon that ends in its pixels or its mask is incomplete`(bits: Int) throws {
        let palette: [UInt8] = bits == 8 ? [0, 0, 255, 0, 255, 0, 0, 0] : []
        let pixels: [UInt8] = bits == 8 ? [1, 0, 0, 0] : [255, 0, 0, 0]
        let head = little(40, 1, 2, bytes: 4) + little(1, bits, bytes: 2) + little(0, 0, 0, 0, bytes: 4)
        let file = icons([head + little(palette.count / 4, 0, bytes: 4) + palette + pixels + [0, 0, 0, 0]])
        #expect(try decode(file).pixels.bytes == [0, 0, 255, 255])
        var tolerant = DecodeLimits.standard
        tolerant.allowsDamage = true
        for missing in [1, 4, 5, 8] {
            let cut = Data(file.dropLast(missing))
            #expect(throws: CodecError.damaged(.ico, "the file is cut off")) { try decode(cut) }
            let image = try? decoder.decode(cut, within: nil, limits: tolerant)
            #expect(image.map { $0.damage == .incomplete("the file is cut off") } ?? true)
        }
    }

    // MARK: - Run lengths

    /// A bitmap of four by two pixels of eight or four bits and two colours, black and white.
    private func runs(_ codes: [UInt8], bits: Int) -> [UInt8] {
        let head =
            little(40, 4, 2, bytes: 4) + little(1, bits, bytes: 2) + little(bits == 8 ? 1 : 2, 0, 0, 0, 2, 0, bytes: 4)
            + [0, 0, 0, 0, 255, 255, 255, 0]
        return Array("BM".utf8) + little(14 + head.count + codes.count, 0, 14 + head.count, bytes: 4) + head + codes
    }

    /// Runs, samples without runs, and the end of the row.
    @Test(arguments: [8, 4]) func `run lengths of a bitmap lead to the last row or an end code`(bits: Int) throws {
        let white: UInt8 = bits == 8 ? 1 : 0x11
        let plain: [UInt8] = bits == 8 ? [0, 3, 1, 0, 1, 0, 1, 0] : [0, 3, 0x10, 0x10, 1, 0]
        let codes = [4, white, 0, 0] + plain
        let whole = try decode(runs(codes + [0, 1], bits: bits))
        #expect((0..<4).map { whole.pixels[$0, 0].red } == [255, 0, 255, 0])
        #expect(try decode(runs(codes, bits: bits)).pixels == whole.pixels)
        #expect(try facts(Data(runs([4, white, 0, 1], bits: bits))).damage == nil)
        for missing in 1..<codes.count {
            #expect(throws: CodecError.self) { try decode(runs(codes.dropLast(missing), bits: bits)) }
        }
    }

    @Test func `run lengths of a bitmap may leave out pixels`() throws {
        // To the right by two and up by one.
        let codes: [UInt8] = [2, 1, 0, 2, 1, 1, 1, 1, 0, 1]
        #expect(try facts(Data(runs(codes, bits: 8))).damage == nil)
        #expect(throws: CodecError.self) { try decode(runs(codes.dropLast(4), bits: 8)) }
    }

    /// Two rows of eight bytes in one plane or three.
    @Test(arguments: [1, 3]) func `run lengths of a PCX file that end too early are damage`(planes: Int) throws {
        let head = [10, 5, 1, 8, 0, 0, 0, 0, 7, 0, 1, 0] + [UInt8](repeating: 0, count: 53) + [UInt8(planes), 8, 0]
        let codes = (0..<planes).flatMap { _ in [0xC8, 0x05, 0xC7, 0x09, 0x11] as [UInt8] }
        let file = head + [UInt8](repeating: 0, count: 128 - head.count) + codes
        #expect(try decode(file).damage == nil)
        for missing in 1...3 { #expect(throws: CodecError.self) { try decode(file.dropLast(missing)) } }
    }

    // MARK: - Codes of a GIF

    /// A GIF of a row of pixels whose codes begin with that many bits, without strings of several pixels.
    private func gif(_ indices: [Int], bits: Int) -> [UInt8] {
        let reset = 1 << bits
        let codes: [Int] = [reset] + indices.flatMap { [$0, reset] } + [reset + 1]
        var packed = [UInt8](repeating: 0, count: (codes.count * (bits + 1) + 7) / 8)
        for (place, code) in codes.enumerated() {
            for bit in 0...bits where code >> bit & 1 == 1 {
                packed[(place * (bits + 1) + bit) / 8] |= 1 << UInt8((place * (bits + 1) + bit) % 8)
            }
        }
        let palette: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]
        return Array("GIF89a".utf8) + little(indices.count, 1, bytes: 2) + [0x81, 0, 0] + palette + [0x2C]
            + little(0, 0, indices.count, 1, bytes: 2) + [0, UInt8(bits), UInt8(packed.count)] + packed + [0, 0x3B]
    }

    @Test(arguments: [8, 9, 11]) func `codes of a GIF may have more bits than its indices`(bits: Int) throws {
        let file = gif([0, 2, 1], bits: bits)
        #expect(try decode(file).pixels.bytes == [255, 0, 0, 255, 0, 0, 255, 255, 0, 255, 0, 255])
        #expect(try facts(Data(file)).damage == nil)
        let beyond = gif([0, 3, (1 << bits) - 1], bits: bits)
        #expect(try facts(Data(beyond)).damage == .corrupt("a pixel has no colour"))
    }

    @Test func `codes of a GIF longer than twelve bits are damage`() {
        #expect(throws: CodecError.self) { try decode(gif([0, 1], bits: 12)) }
    }

    // MARK: - Bit fields

    /// A bitmap of one pixel with masks, behind a header of that many bytes.
    private func fields(
        _ masks: [Int], _ pixel: Int, compression: Int = 3, header: Int = 40, bits: Int = 16
    ) -> [UInt8] {
        let words = masks.flatMap { little($0, bytes: 4) }
        let behind = header == 40 ? words.count : 0
        let start = 14 + header + behind
        let head =
            little(header, 1, 1, bytes: 4) + little(1, bits, bytes: 2) + little(compression, 4, 0, 0, 0, 0, bytes: 4)
            + words
        let rest = [UInt8](repeating: 0, count: start - 14 - head.count)
        return Array("BM".utf8) + little(start + 4, 0, start, bytes: 4) + head + rest + little(pixel, bytes: 4)
    }

    @Test(
        arguments: [
            ([0xF00, 0xF0, 0xF], 0xF70, [255, 119, 0, 255], 3, 40),
            ([0x30, 0xE, 0x1], 0x1D, [85, 219, 255, 255], 3, 40),
            ([0xE0, 0x1C, 0x3], 0xEE, [255, 109, 170, 255], 3, 40),
            ([0x7C00, 0x3E0, 0x1F], 0x7DF0, [255, 123, 132, 255], 3, 40),
            ([0xF00, 0xF0, 0xF, 0xF000], 0x6F0F, [255, 0, 255, 102], 3, 56),
            ([0xF00, 0xF0, 0xF, 0xF000], 0x6F0F, [255, 0, 255, 102], 6, 40),
            ([0x7C00, 0x3E0, 0x1F, 0x8000], 0xFC00, [255, 0, 0, 255], 3, 124),
        ] as [([Int], Int, [UInt8], Int, Int)])
    func `fields of few bits reach from 0 to 255`(
        masks: [Int], pixel: Int, color: [UInt8], compression: Int, header: Int
    ) throws {
        let shown = try decode(fields(masks, pixel, compression: compression, header: header)).pixels
        for (value, wanted) in zip(shown.bytes, color) { #expect(abs(Int(value) - Int(wanted)) <= 1, "\(shown.bytes)") }
    }

    /// Red, green, blue and alpha of different bits; half of each field is set, or all of it.
    @Test(
        arguments: [
            ([0x1F, 0xFC0, 0x7F000], 0x4_0810, [132, 130, 129, 255], 32, 40),
            ([0x1F, 0xFC0, 0x7F000], 0x7_FFDF, [255, 255, 255, 255], 32, 40),
            ([0xFF, 0xFF00, 0xFF_0000, 0x3F00_0000], 0x2080_4020, [32, 64, 128, 130], 32, 56),
            ([0xFC00, 0x3E0, 0x1F], 0xFFFF, [255, 255, 255, 255], 16, 40),
            ([0xF800, 0x7E0, 0x1F], 0x8410, [132, 130, 132, 255], 16, 40),
        ] as [([Int], Int, [UInt8], Int, Int)])
    func `fields of five to seven bits reach from 0 to 255`(
        masks: [Int], pixel: Int, color: [UInt8], bits: Int, header: Int
    ) throws {
        let shown = try decode(fields(masks, pixel, header: header, bits: bits)).pixels
        for (value, wanted) in zip(shown.bytes, color) { #expect(abs(Int(value) - Int(wanted)) <= 1, "\(shown.bytes)") }
    }

    @Test func `a bitmap whose number of planes is wrong is read`() throws {
        var file = fields([0x7C00, 0x3E0, 0x1F], 0x7C00)
        for planes in [0, 1, 3] as [UInt8] {
            file[26] = planes
            #expect(try decode(file).pixels[0, 0] == Color(red: 255, green: 0, blue: 0))
        }
    }

    // MARK: - EXIF data of a wrong length

    /// A JPEG with EXIF data whose segment states some bytes more or less than it has.
    private func jpeg(_ file: Data, exif: [UInt8], error: Int) -> Data {
        let content = Array("Exif\0\0".utf8) + exif
        let length = content.count + 2 + error
        return file.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8 & 255), UInt8(length & 255)] + content)
            + file.dropFirst(2)
    }

    /// Data that is shorter than it says is read as others do, data that is longer is not read.
    @Test(arguments: [-20, -1, 1, 11, 40, 300])
    func `EXIF data of a wrong length does not hide the picture`(error: Int) throws {
        let plain = try ImageEncoder.encode(Pictures.image(Pictures.noise(24, 16)), as: .jpeg)
        let turned: [UInt8] =
            Array("II*\0".utf8) + little(8, bytes: 4) + little(1, 0x112, 3, bytes: 2) + little(1, 6, 0, bytes: 4)
        let file = jpeg(plain, exif: turned, error: error)
        let image = try decode(file)
        let pixels = try decode(plain).pixels
        #expect(image.pixels == (error > 0 ? Orientation.turnedRight.upright(pixels) : pixels))
        #expect(image.damage == nil)
        #expect(try decoder.header(of: file, limits: .standard).size == image.size)
        #expect(try facts(file).damage == nil)
    }

    @Test func `a thumbnail in EXIF data of a wrong length is not taken for the picture`() throws {
        let plain = try ImageEncoder.encode(Pictures.image(Pictures.noise(24, 16)), as: .jpeg)
        let thumbnail = try ImageEncoder.encode(Pictures.image(Pictures.noise(8, 8)), as: .jpeg)
        let directory = Array("II*\0".utf8) + little(8, bytes: 4) + little(0, 0, 0, bytes: 2)
        for error in [-100, 25] {
            let image = try decode(jpeg(plain, exif: directory + thumbnail, error: error))
            #expect(image.pixels == (try decode(plain).pixels))
        }
        // Of a file that ends within its EXIF data nothing is shown.
        let cut = jpeg(plain, exif: directory + thumbnail, error: 0).prefix(thumbnail.count + 20)
        #expect(throws: CodecError.self) { try decode(cut) }
    }
}
