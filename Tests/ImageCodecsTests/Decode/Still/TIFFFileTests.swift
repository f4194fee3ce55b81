import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// Samples of every type, pages, and raw files of cameras.
@Suite(.timeLimit(.minutes(1))) struct TIFFFileTests {
    private let decoder = CodecDecoder(formats: Set(ImageFormat.allCases))

    private func decode(_ file: TIFFWriter, page: Int = 1) throws(CodecError) -> Image {
        var limits = DecodeLimits.standard
        limits.page = page
        return try decoder.decode(file.data, within: nil, limits: limits)
    }

    private func grey(_ image: Image) -> [UInt8] {
        stride(from: 0, to: image.pixels.bytes.count, by: 4).map { image.pixels.bytes[$0] }
    }

    private static func bytes(_ values: [some FixedWidthInteger]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian, Array.init) }
    }

    private static func bytes(_ values: [Float]) -> [UInt8] { bytes(values.map(\.bitPattern)) }

    // MARK: - Samples

    @Test(
        arguments: [
            (32, 1, bytes([0, 1 << 30, 3 << 30] as [UInt32]), [0, 85, 255] as [UInt8], "black 0 to white 3221225472"),
            (16, 2, bytes([-100, 0, 100] as [Int16]), [0, 128, 255], "black -100 to white 100"),
            (32, 3, bytes([0, 100, 200] as [Float]), [0, 128, 255], "black 0 to white 200"),
            (32, 3, bytes([0.25, 0.5, 1] as [Float]), [64, 128, 255], nil),
            (16, 1, bytes([0, 1000, 65_535] as [UInt16]), [0, 4, 255], nil),
        ] as [(Int, Int, [UInt8], [UInt8], String?)])
    func `samples are shown from their smallest to their largest value`(
        bits: Int, format: Int, samples: [UInt8], shown: [UInt8], range: String?
    ) throws {
        var file = TIFFWriter()
        file.add(TIFFWriter.Page(width: 3, height: 1, bits: bits, format: format, samples: samples))
        let image = try decode(file)
        for (value, expected) in zip(grey(image), shown) { #expect(abs(Int(value) - Int(expected)) <= 1) }
        #expect(image.color?.profile == range)
        #expect(image.color?.bits == bits)
    }

    @Test func `the range that the file states has precedence`() throws {
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 3, height: 1, bits: 32, format: 3, samples: Self.bytes([-50, 50, 150] as [Float]),
                fields: [.float(340, 0), .float(341, 100)]))
        #expect(grey(try decode(file)) == [0, 128, 255])
    }

    @Test func `a sample without a stated meaning is not alpha`() throws {
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 1, height: 1, bits: 8, channels: 4, samples: [10, 20, 30, 0], fields: [.short(338, 0)]))
        #expect(try decode(file).pixels.bytes.elementsEqual([10, 20, 30, 255]))
        var other = TIFFWriter()
        other.add(
            TIFFWriter.Page(
                width: 1, height: 1, bits: 8, channels: 4, samples: [10, 20, 30, 40], fields: [.short(338, 2)]))
        #expect(try decode(other).pixels.bytes.elementsEqual([10, 20, 30, 40]))
    }

    @Test(arguments: [[], [TIFFWriter.Field.longs(529, [0, 0, 0])]])
    func `subsampled colours are decoded, also with weights that are none`(weights: [TIFFWriter.Field]) throws {
        // One block of 2 × 2: four values of light, then two of colour (TIFF 6.0, section 21).
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 2, height: 2, bits: 8, channels: 3, photometric: 6, samples: [0, 85, 170, 255, 128, 128],
                fields: [.short(530, 2, 2)] + weights))
        #expect(grey(try decode(file)) == [0, 85, 170, 255])
    }

    @Test func `of a cut file with fractions the rows before the cut are shown, by their own range`() throws {
        var file = TIFFWriter()
        // Each row is a strip; from row 32 on they lie behind the end of the file, which begins with 8 bytes.
        let samples = Self.bytes((0..<64).flatMap { row in [Float](repeating: Float(row), count: 8) })
        let offsets = (0..<64).map { $0 < 32 ? 8 + $0 * 32 : 1 << 24 }
        file.add(
            TIFFWriter.Page(
                width: 8, height: 64, bits: 32, format: 3, samples: samples,
                fields: [.longs(273, offsets), .long(278, 1), .longs(279, [Int](repeating: 32, count: 64))]))
        let cut = file.data
        #expect(throws: CodecError.self) { try decoder.decode(cut, within: nil, limits: .standard) }
        var limits = DecodeLimits.standard
        limits.allowsDamage = true
        let image = try decoder.decode(cut, within: nil, limits: limits)
        #expect(image.damage?.affectsPixels == true)
        #expect(image.pixels[0, 0] == .black && image.pixels[0, 31] == .white && image.pixels[0, 40].alpha == 0)
    }

    @Test(arguments: [1, 6]) func `a picture beyond the limit is too large, not damaged`(photometric: Int) throws {
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 20_000, height: 20_000, bits: 8, channels: photometric == 1 ? 1 : 3, photometric: photometric,
                samples: [0, 0, 0, 0, 0, 0]))
        let error = #expect(throws: CodecError.self) { try decode(file) }
        guard case .processor(.limitExceeded)? = error else { throw try #require(error) }
    }

    // MARK: - Pages

    private func pages() -> TIFFWriter {
        var file = TIFFWriter()
        file.add(TIFFWriter.Page(width: 1, height: 1, bits: 8, samples: [10]))
        file.add(TIFFWriter.Page(width: 2, height: 1, bits: 8, samples: [20, 20]))
        file.add(TIFFWriter.Page(width: 3, height: 1, bits: 8, samples: [30, 30, 30]))
        return file
    }

    @Test(arguments: 1...3) func `each page of a file is decoded`(page: Int) throws {
        let image = try decode(pages(), page: page)
        #expect(image.size == PixelSize(width: page, height: 1) && image.pixels.bytes[0] == UInt8(page * 10))
        #expect(image.pageCount == 3 && image.frameCount == 1)
    }

    @Test func `a page that the file does not have is an error with the number of pages`() throws {
        let error = CodecError.processor(
            .processingFailed(identifier: "page(4)", "the TIFF has 3 pages"))
        #expect(throws: error) { try decode(pages(), page: 4) }
    }

    @Test func `a picture without pages has one`() throws {
        var limits = DecodeLimits.standard
        limits.page = 2
        let png = try Pictures.gradient(PixelSize(width: 4, height: 4)).pngData()
        #expect(throws: CodecError.processor(.processingFailed(identifier: "page(2)", "the PNG has one page"))) {
            try decoder.decode(png, within: nil, limits: limits)
        }
    }

    // MARK: - Raw files of cameras

    private static let dng = TIFFWriter.Field.bytes(50706, 1, 4, 0, 0)

    @Test func `the largest preview of a raw file is shown, and the facts say so`() throws {
        let preview = TIFFWriter.Page(
            width: 4, height: 2, bits: 8, channels: 3, samples: [UInt8](repeating: 200, count: 24))
        let sensor = TIFFWriter.Page(
            width: 8, height: 4, bits: 8, photometric: 32803, samples: [UInt8](repeating: 9, count: 32))
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(width: 1, height: 1, bits: 8, channels: 3, samples: [0, 0, 0], fields: [Self.dng]),
            subdirectories: [sensor, preview])
        let image = try decode(file)
        #expect(image.size == PixelSize(width: 4, height: 2) && image.pixels.bytes[0] == 200)
        #expect(image.color?.profile == "preview in a camera's raw file")
    }

    @Test func `a preview in JPEG is turned as the raw file says`() throws {
        let picture = PixelBuffer(size: PixelSize(width: 64, height: 32), filledWith: .white)
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 1, height: 1, bits: 8, channels: 3, samples: [0, 0, 0], fields: [Self.dng, .short(274, 6)]))
        file.append(try ImageEncoder.encode(Pictures.image(picture), as: .jpeg))
        #expect(try decode(file).size == PixelSize(width: 32, height: 64))
    }

    /// A raw file of 64×48 samples under red, green and blue filters, which are red on the left and blue on the right.
    private func mosaic(orientation: Int = 1, statedHeight: Int = 48) -> TIFFWriter {
        let samples = (0..<48).flatMap { y in
            (0..<64).map { x in
                let color = (x % 2, y % 2)
                return UInt16((color == (0, 0) && x < 32) || (color == (1, 1) && x >= 32) ? 60_000 : 2_000)
            }
        }
        let colors = TIFFWriter.Field.fractions(
            50721, 3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570)
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 64, height: 48, bits: 16, photometric: 32803, samples: Self.bytes(samples),
                fields: [
                    .long(257, statedHeight), .short(274, orientation), .short(33421, 2, 2), .bytes(33422, 0, 1, 1, 2),
                    Self.dng, .long(50717, 65_535), colors, .short(50778, 21),
                ]))
        return file
    }

    @Test func `a raw file without an ample preview is developed, and the facts say so`() throws {
        let image = try decode(mosaic())
        #expect(image.size == PixelSize(width: 64, height: 48))
        #expect(image.color?.profile == "raw file developed by LibRaw")
        let (left, right) = (image.pixels[12, 20], image.pixels[52, 20])
        #expect(left.red > 200 && left.blue < 60 && right.blue > 200 && right.red < 60)
    }

    @Test func `a developed raw file is upright`() throws {
        let image = try decode(mosaic(orientation: 6))
        #expect(image.size == PixelSize(width: 48, height: 64))
        #expect(image.pixels[20, 12].red > 200 && image.pixels[20, 52].blue > 200)
    }

    @Test func `a preview of a megapixel is shown instead of the samples`() throws {
        var file = mosaic()
        file.append(try ImageEncoder.encode(Pictures.image(Pictures.noise(1_000, 1_000)), as: .jpeg))
        #expect(try decode(file).size == PixelSize(width: 1_000, height: 1_000))
    }

    @Test func `a raw file whose samples are damaged shows its small preview where damage is allowed`() throws {
        var file = mosaic(statedHeight: 4_800)
        file.append(try ImageEncoder.encode(Pictures.image(Pictures.noise(40, 24)), as: .jpeg))
        #expect(throws: CodecError.self) { try decode(file) }
        var limits = DecodeLimits.standard
        limits.allowsDamage = true
        let image = try decoder.decode(file.data, within: nil, limits: limits)
        #expect(image.size == PixelSize(width: 40, height: 24) && image.damage != nil)
    }

    @Test func `a raw file that ends in its samples is damaged`() throws {
        let error = #expect(throws: CodecError.self) { try decode(mosaic(statedHeight: 4_800)) }
        #expect("\(String(describing: error))".contains("cut"))
    }

    // MARK: - Lab

    /// The samples, and the colours that lcms makes of them.
    @Test func `Lab is relative to D50`() throws {
        let samples: [[UInt8]] = [[128, 20, 246], [150, 236, 30], [200, 5, 206], [90, 40, 200]]
        let colors: [[Int]] = [[147, 107, 137], [120, 151, 87], [156, 194, 255], [104, 58, 175]]
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(width: 4, height: 1, bits: 8, channels: 3, photometric: 8, samples: Array(samples.joined()))
        )
        let image = try decode(file)
        for (x, color) in colors.enumerated() {
            let shown = image.pixels[x, 0]
            let difference = zip([shown.red, shown.green, shown.blue], color).map { abs(Int($0) - $1) }
            #expect(difference.allSatisfy { $0 <= 2 }, "\(shown)")
        }
        #expect(image.color?.model == .lab)
    }

    // MARK: - Fractions of 16 bits

    @Test(
        arguments: [
            ([0x0000, 0x3800, 0x3C00], [0, 128, 255], nil),
            // −100, 0 and 100; the smallest fraction, infinity and 2
            ([0xD640, 0x0000, 0x5640], [0, 128, 255], "black -100 to white 100"),
            ([0x0001, 0x7C00, 0x4000], [0, 255, 255], "black 5.9604645e-08 to white 2"),
        ] as [([UInt16], [UInt8], String?)])
    func `fractions of 16 bits are shown like others`(samples: [UInt16], shown: [UInt8], range: String?) throws {
        var file = TIFFWriter()
        file.add(TIFFWriter.Page(width: 3, height: 1, bits: 16, format: 3, samples: Self.bytes(samples)))
        let image = try decode(file)
        #expect(grey(image) == shown)
        #expect(image.color?.profile == range && image.color?.bits == 16)
    }

    @Test func `coloured fractions of 16 bits have a type for each channel`() throws {
        var file = TIFFWriter()
        file.add(
            TIFFWriter.Page(
                width: 2, height: 1, bits: 16, channels: 3,
                samples: Self.bytes([0, 0x3800, 0x3C00, 0x3C00, 0, 0] as [UInt16]),
                fields: [.short(339, 3, 3, 3)]))
        let pixels = try decode(file).pixels
        #expect(pixels[0, 0] == Color(red: 0, green: 128, blue: 255))
        #expect(pixels[1, 0] == Color(red: 255, green: 0, blue: 0))
    }

    // MARK: - Raw files of other forms

    /// A box of the ISO base media format.
    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let length = UInt32(content.count + 8)
        return withUnsafeBytes(of: length.bigEndian, Array.init) + Array(name.utf8) + content
    }

    @Test func `the largest preview of Canon's and Fujifilm's raw files is shown upright`() throws {
        let small = try ImageEncoder.encode(Pictures.image(Pictures.noise(8, 8)), as: .jpeg)
        let large = try ImageEncoder.encode(Pictures.image(Pictures.noise(40, 24)), as: .jpeg)
        let preview = try decoder.decode(large, within: nil, limits: .standard).pixels
        let fuji = Array("FUJIFILMCCD-RAW 0201".utf8) + [UInt8](repeating: 7, count: 80) + small + large + [1, 2, 3, 4]
        var turned = TIFFWriter()
        turned.add(TIFFWriter.Page(width: 1, height: 1, bits: 8, samples: [0], fields: [.short(274, 8)]))
        let canon =
            box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8))
            + box("moov", box("uuid", [UInt8](repeating: 0, count: 16) + box("CMT1", Array(turned.data))))
            + box("uuid", Array(small)) + box("mdat", Array(large) + [UInt8](repeating: 3, count: 99))
        for (file, pixels) in [(fuji, preview), (canon, Orientation.turnedLeft.upright(preview))] {
            let image = try decoder.decode(Data(file), within: nil, limits: .standard)
            #expect(image.pixels == pixels)
            #expect(image.color?.profile == "preview in a camera's raw file")
            #expect(try decoder.header(of: Data(file), limits: .standard).size == pixels.size)
        }
        #expect(throws: CodecError.self) {
            try decoder.decode(Data(fuji.prefix(100)), within: nil, limits: .standard)
        }
    }
}
