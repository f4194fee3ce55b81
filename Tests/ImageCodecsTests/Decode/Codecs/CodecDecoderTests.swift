import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// The formats' own libraries held against libvips, whose pictures and whose errors are the measure.
@Suite(.timeLimit(.minutes(1)))
struct CodecDecoderTests {
    private func codec(_ data: Data, within box: PixelSize? = nil) throws(CodecError) -> Image {
        try CodecDecoder().decode(data, within: box, limits: .standard)
    }

    private func libvips(_ data: Data, within box: PixelSize? = nil) throws(CodecError) -> Image {
        try VipsDecoder().decode(data, within: box, limits: .standard)
    }

    private func isDecodedByCodec(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in CodecDecoder().open(bytes) != nil }
    }

    /// Slopes, waves and edges; with alpha where asked for.
    private static func picture(_ width: Int, _ height: Int, alpha: Bool = false) -> PixelBuffer {
        var picture = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .black)
        for y in 0..<height {
            for x in 0..<width {
                let wave = 60 * sin(Double(x) / 5) + 40 * cos(Double(y) / 3)
                picture[x, y] = Color(
                    red: UInt8(min(255, max(0, 128 + wave))), green: UInt8(x * 255 / max(1, width - 1)),
                    blue: (x / 7 + y / 5) % 2 == 0 ? 220 : 30, alpha: alpha ? UInt8((x * 9 + y * 5) % 256) : 255)
            }
        }
        return picture
    }

    private static let sizes = [(1, 1), (1, 37), (41, 1), (7, 5), (8, 8), (33, 17), (64, 48)]

    // MARK: - The same pixels

    @Test(arguments: [[0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xD8], [0x0A], [0x0D, 0x0A]] as [[UInt8]])
    func `a JPEG file after a line break or with several marks of its start is decoded`(lead: [UInt8]) throws {
        let file = try SampleFiles.file(.baselineJPEG)
        let decoder = CodecDecoder()
        let image = try decoder.decode(Data(lead) + file, within: nil, limits: .standard)
        let plain = try SampleFiles.decode(file)
        #expect(image.format == .jpeg && image.pixels == plain.pixels)
        #expect(try decoder.facts(of: Data(lead) + file, .pixels, limits: .standard).picture.verdict == .whole)
        #expect(try decoder.header(of: Data(lead) + file, limits: .standard).size == image.size)
    }

    @Test(arguments: sizes, [ImageFormat.jpeg, .png, .webP])
    func `an unscaled picture equals that of libvips`(size: (Int, Int), format: ImageFormat) throws {
        let data = try ImageEncoder.encode(Pictures.image(Self.picture(size.0, size.1)), as: format)
        #expect(isDecodedByCodec(data))
        #expect(try codec(data) == libvips(data))
    }

    @Test(arguments: [ImageFormat.png, .webP])
    func `a picture with alpha equals that of libvips`(format: ImageFormat) throws {
        let data = try ImageEncoder.encode(
            Pictures.image(Self.picture(45, 31, alpha: true)), as: format, isLossless: true)
        #expect(isDecodedByCodec(data))
        #expect(try codec(data) == libvips(data))
    }

    @Test func `a progressive picture equals that of libvips`() throws {
        let data = try ProgressiveJPEG.file(width: 75, height: 50)
        #expect(isDecodedByCodec(data))
        #expect(try codec(data) == libvips(data))
    }

    // MARK: - What files get wrong

    @Test(arguments: [1, 2, 4])
    func `a transparent grey uses only the bits of the sample depth`(depth: UInt8) throws {
        let white: UInt8 = 0xFF << (8 - depth)
        let file = PNGFile(
            width: 2, height: 1, depth: depth, type: .grey, transparency: [0, 0xFF], rows: [[white]])
        let pixels = try codec(file.data).pixels
        #expect(pixels[0, 0].alpha == 0)
        #expect(pixels[1, 0] == Color.black)
    }

    @Test func `a PNG with a wrong header checksum is damaged`() throws {
        var data = PNGFile(width: 1, height: 1, type: .grey, rows: [[7]]).data
        data[data.startIndex + 29] ^= 1
        #expect(throws: CodecError.processor(.decodingFailed(format: "PNG", "the checksum of the header is wrong"))) {
            try codec(data)
        }
    }

    @Test(arguments: ["iTXt", "tEXt", "zTXt", "sPLT", "pCAL", "sCAL"])
    func `a chunk longer than the file is refused before decoding`(name: String) throws {
        var data = PNGFile(width: 1, height: 1, type: .grey, rows: [[7]]).data.prefix(33)
        data += [0x7F, 0xFF, 0xFF, 0xF0] + Array(name.utf8) + [0, 0, 0, 0]
        #expect(throws: CodecError.processor(.decodingFailed(format: "PNG", "the file ends before its pixels"))) {
            try codec(data)
        }
        #expect(throws: CodecError.processor(.decodingFailed(format: "PNG", "the file ends before its pixels"))) {
            try CodecDecoder().header(of: data, limits: .standard)
        }
    }

    @Test func `a WebP without the alpha flag is opaque`() throws {
        var data = try ImageEncoder.encode(
            Pictures.image(Self.picture(16, 16, alpha: true)), as: .webP, isLossless: true)
        let stream = try #require(data.firstRange(of: Data("VP8L".utf8))).upperBound + 4
        try #require(data[stream] == 0x2F)
        data[stream + 4] &= ~0x10
        #expect(try codec(data).pixels.isOpaque)
    }

    private static let files: [(String, PNGFile)] = {
        let bytes = (0..<64).map { UInt8($0 * 37 % 256) }
        func rows(_ count: Int, _ width: Int) -> [[UInt8]] { (0..<count).map { Array(bytes[$0..<$0 + width]) } }
        let table = (0..<48).map { UInt8($0 * 5) }
        return [
            ("grey", PNGFile(width: 9, height: 6, type: .grey, rows: rows(6, 9))),
            ("grey, 1 bit", PNGFile(width: 9, height: 5, depth: 1, type: .grey, rows: rows(5, 2))),
            ("grey, 2 bits", PNGFile(width: 9, height: 5, depth: 2, type: .grey, rows: rows(5, 3))),
            ("grey, 4 bits", PNGFile(width: 9, height: 5, depth: 4, type: .grey, rows: rows(5, 5))),
            (
                "grey, a colour is transparent",
                PNGFile(width: 3, height: 2, type: .grey, transparency: [0, 37], rows: [[0, 37, 74], [37, 37, 9]])
            ),
            ("grey, 16 bits", PNGFile(width: 9, height: 6, depth: 16, type: .grey, rows: rows(6, 18))),
            ("grey and alpha, 16 bits", PNGFile(width: 5, height: 6, depth: 16, type: .greyAlpha, rows: rows(6, 20))),
            ("colour, 16 bits", PNGFile(width: 5, height: 6, depth: 16, type: .colour, rows: rows(6, 30))),
            (
                "colour and alpha, 16 bits",
                PNGFile(width: 5, height: 6, depth: 16, type: .colourAlpha, rows: rows(6, 40))
            ),
            ("grey and alpha", PNGFile(width: 5, height: 6, type: .greyAlpha, rows: rows(6, 10))),
            ("colour", PNGFile(width: 5, height: 6, type: .colour, rows: rows(6, 15))),
            (
                "colour, one is transparent",
                PNGFile(
                    width: 2, height: 1, type: .colour, transparency: [0, 1, 0, 2, 0, 3], rows: [[1, 2, 3, 1, 2, 4]])
            ),
            ("colour and alpha", PNGFile(width: 5, height: 6, type: .colourAlpha, rows: rows(6, 20))),
            (
                "palette",
                PNGFile(
                    width: 16, height: 2, type: .palette, palette: table, transparency: [0, 99, 255],
                    rows: [(0..<16).map { UInt8($0) }, (0..<16).map { UInt8(15 - $0) }])
            ),
            (
                "palette, 4 bits",
                PNGFile(
                    width: 4, height: 1, depth: 4, type: .palette, palette: table, rows: [[0x1F, 0x03]])
            ),
            ("Adam7", PNGFile(width: 5, height: 6, type: .colour, isInterlaced: true, rows: rows(6, 15))),
            ("Adam7, one column", PNGFile(width: 1, height: 6, type: .colour, isInterlaced: true, rows: rows(6, 3))),
        ]
    }()

    @Test(arguments: files)
    func `every kind of PNG equals that of libvips`(name: String, file: PNGFile) throws {
        #expect(isDecodedByCodec(file.data) != file.isInterlaced)
        #expect(try codec(file.data).pixels == libvips(file.data).pixels)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>, [nil, PixelSize(width: 16, height: 16)])
    func `every orientation equals that of libvips`(orientation: UInt8, box: PixelSize?) throws {
        let data = try OrientedJPEG.data(orientation: orientation)
        #expect(isDecodedByCodec(data))
        let (ours, theirs) = (try codec(data, within: box), try libvips(data, within: box))
        #expect(ours.originalSize == theirs.originalSize)
        #expect(ours.size == theirs.size)
        #expect(Self.signalToNoise(ours.pixels, theirs.pixels) > 38)
        #expect(
            try CodecDecoder().header(of: data, limits: .standard)
                == VipsDecoder().header(of: data, limits: .standard))
    }

    // MARK: - Nearly the same pixels

    /// In decibels, over all four channels, each colour as it is seen: weighed by its alpha.
    private static func signalToNoise(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
        func seen(_ picture: PixelBuffer, _ place: Int) -> Double {
            let alpha = place % 4 == 3 ? 1 : Double(picture.bytes[place | 3]) / 255
            return Double(picture.bytes[place]) * alpha
        }
        let squares = one.bytes.indices.reduce(0.0) { $0 + pow(seen(one, $1) - seen(other, $1), 2) }
        return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(one.bytes.count) / squares)
    }

    /// The measure is the whole picture scaled by libvips; scaling while decoding may cost no more than libvips loses.
    @Test(
        arguments: ["glacier.jpg", "forest-in-mist.jpg", "opal.jpg", "fjord.webp", "sunrise-poster.png"],
        [37, 150, 333])
    func `a scaled picture is as accurate as that of libvips`(name: String, side: Int) throws {
        let data = try Pictures.asset(name)
        let box = PixelSize(width: side, height: side)
        #expect(isDecodedByCodec(data))
        let (ours, theirs) = (try codec(data, within: box), try libvips(data, within: box))
        #expect(ours.size == theirs.size)
        let measure = try libvips(data).pixels.resampled(to: ours.size)
        let least = min(38, Self.signalToNoise(theirs.pixels, measure) - 0.2)
        #expect(Self.signalToNoise(ours.pixels, measure) >= least)
    }

    // MARK: - What is left to libvips

    @Test func `filtered rows of 16 bits equal those of libvips`() throws {
        let data = try Pictures.asset("eclipse.png")
        #expect(isDecodedByCodec(data))
        #expect(try codec(data) == libvips(data))
    }

    @Test func `a profile, and a transparent colour of 16 bits, are left to libvips`() throws {
        let sixteen = PNGFile(
            width: 2, height: 1, depth: 16, type: .grey, transparency: [0x4D, 0x11], rows: [[0x4D, 0x11, 0x4D, 0x12]])
        let tagged = PNGFile(
            width: 1, height: 1, type: .colour, profile: ColorProfile.swappedPrimaries, rows: [[255, 0, 0]])
        for file in [sixteen, tagged] {
            #expect(!isDecodedByCodec(file.data))
            #expect(try codec(file.data) == libvips(file.data))
        }
        let moving = try SampleFiles.file(.movingWebP)
        #expect(!isDecodedByCodec(moving))
        #expect(try codec(moving).pixels == libvips(moving).pixels)
    }

    @Test func `an sRGB profile changes nothing`() throws {
        let file = PNGFile(width: 1, height: 1, type: .colour, profile: ColorProfile.sRGB, rows: [[200, 100, 50]])
        #expect(isDecodedByCodec(file.data))
        #expect(try codec(file.data).pixels[0, 0] == Color(red: 200, green: 100, blue: 50))
    }

    // MARK: - The same errors

    @Test(arguments: [SampleFiles.Kind.baselineJPEG, .progressiveJPEG, .png, .interlacedPNG, .webP])
    func `a file truncated anywhere is the whole picture or an error`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let whole = outcome { () throws(CodecError) in try codec(data) }
        for count in 0..<data.count {
            let part = data.prefix(count)
            let ours = outcome { () throws(CodecError) in try codec(part) }
            #expect(ours == whole || !ours.hasPrefix("["), "cut after \(count) of \(data.count) bytes")
        }
    }

    private func outcome(_ decode: () throws(CodecError) -> Image) -> String {
        do throws(CodecError) {
            return "\(try decode().pixels.bytes)"
        } catch {
            return "\(error.title)"
        }
    }

    @Test(arguments: [SampleFiles.Kind.baselineJPEG, .progressiveJPEG, .png, .interlacedPNG, .webP])
    func `limits apply as with libvips`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        for limits in [DecodeLimits(bytes: 10), DecodeLimits(pixels: 100)] {
            for box in [nil, PixelSize(width: 5, height: 5)] {
                #expect(throws: CodecError.self) { try CodecDecoder().decode(data, within: box, limits: limits) }
                let (ours, theirs) = (
                    outcome { () throws(CodecError) in
                        try CodecDecoder().decode(data, within: box, limits: limits)
                    },
                    outcome { () throws(CodecError) in try VipsDecoder().decode(data, within: box, limits: limits) }
                )
                #expect(ours == theirs)
            }
            #expect(throws: CodecError.self) { try CodecDecoder().header(of: data, limits: limits) }
        }
    }
}
