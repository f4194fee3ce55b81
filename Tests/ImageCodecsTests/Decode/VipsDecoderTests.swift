import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct VipsDecoderTests {
    private let decoder = VipsDecoder()

    private func decode(
        _ data: Data, within box: PixelSize? = nil, limits: DecodeLimits = .standard
    ) throws(CodecError) -> Image {
        try decoder.decode(data, within: box, limits: limits)
    }

    private func colors(_ file: PNGFile) throws -> [Color] {
        let pixels = try decode(file.data).pixels
        return (0..<pixels.size.height).flatMap { y in (0..<pixels.size.width).map { pixels[$0, y] } }
    }

    private func grey(_ value: UInt8, _ alpha: UInt8 = 255) -> Color {
        Color(red: value, green: value, blue: value, alpha: alpha)
    }

    // MARK: - Right pixels

    @Test func `RGB pixels are decoded unchanged`() throws {
        let file = PNGFile(width: 2, height: 2, type: .colour, rows: [[1, 2, 3, 40, 50, 60], [255, 0, 128, 9, 9, 9]])
        #expect(
            try colors(file) == [
                Color(red: 1, green: 2, blue: 3), Color(red: 40, green: 50, blue: 60),
                Color(red: 255, green: 0, blue: 128), Color(red: 9, green: 9, blue: 9),
            ])
    }

    @Test func `alpha is not premultiplied`() throws {
        let file = PNGFile(
            width: 3, height: 1, type: .colourAlpha, rows: [[200, 100, 50, 128, 10, 20, 30, 0, 1, 2, 3, 255]])
        #expect(
            try colors(file) == [
                Color(red: 200, green: 100, blue: 50, alpha: 128), Color(red: 10, green: 20, blue: 30, alpha: 0),
                Color(red: 1, green: 2, blue: 3, alpha: 255),
            ])
    }

    @Test func `grey becomes RGB, with and without alpha`() throws {
        let plain = PNGFile(width: 3, height: 1, type: .grey, rows: [[0, 77, 255]])
        #expect(try colors(plain) == [grey(0), grey(77), grey(255)])
        let alpha = PNGFile(width: 2, height: 1, type: .greyAlpha, rows: [[77, 128, 255, 0]])
        #expect(try colors(alpha) == [grey(77, 128), grey(255, 0)])
    }

    @Test func `1-bit grey is black or white`() throws {
        let file = PNGFile(width: 8, height: 1, depth: 1, type: .grey, rows: [[0b1010_0001]])
        #expect(try colors(file) == [255, 0, 255, 0, 0, 0, 0, 255].map { grey($0) })
    }

    @Test func `palette colours and their transparency are decoded`() throws {
        let file = PNGFile(
            width: 3, height: 1, type: .palette, palette: [10, 20, 30, 200, 100, 0, 5, 6, 7], transparency: [255, 99],
            rows: [[1, 0, 2]])
        #expect(
            try colors(file) == [
                Color(red: 200, green: 100, blue: 0, alpha: 99), Color(red: 10, green: 20, blue: 30),
                Color(red: 5, green: 6, blue: 7),
            ])
    }

    @Test func `16-bit samples keep their upper byte`() throws {
        let colour = PNGFile(
            width: 1, height: 1, depth: 16, type: .colour, rows: [[0x12, 0x12, 0x80, 0x80, 0xFF, 0xFF]])
        #expect(try colors(colour) == [Color(red: 0x12, green: 0x80, blue: 0xFF)])
        let grey = PNGFile(width: 2, height: 1, depth: 16, type: .grey, rows: [[0x4D, 0x4D, 0xFF, 0xFF]])
        #expect(try colors(grey) == [self.grey(0x4D), self.grey(0xFF)])
        let alpha = PNGFile(
            width: 1, height: 1, depth: 16, type: .colourAlpha,
            rows: [[0x12, 0x12, 0x80, 0x80, 0xFF, 0xFF, 0x40, 0x40]])
        #expect(try colors(alpha) == [Color(red: 0x12, green: 0x80, blue: 0xFF, alpha: 0x40)])
    }

    @Test func `a colour profile is applied`() throws {
        let file = PNGFile(
            width: 2, height: 1, type: .colour, profile: ColorProfile.swappedPrimaries,
            rows: [[255, 0, 0, 255, 255, 255]])
        let result = try colors(file)
        #expect(result[0].red < 40 && result[0].green > 240 && result[0].blue < 40)
        #expect(result[1].red > 250 && result[1].green > 250 && result[1].blue > 250)
    }

    @Test(arguments: [
        [1, 2, 3], [UInt8](repeating: 0xFF, count: 300), Array(ColorProfile.swappedPrimaries.prefix(150)),
    ])
    func `an invalid profile is ignored`(profile: [UInt8]) throws {
        let file = PNGFile(width: 1, height: 1, type: .colour, profile: profile, rows: [[10, 200, 30]])
        #expect(try colors(file) == [Color(red: 10, green: 200, blue: 30)])
    }

    @Test(arguments: [(1, 1), (1, 300), (300, 1)])
    func `pictures one pixel wide or high are decoded`(width: Int, height: Int) throws {
        let image = try decode(try Pictures.png(width: width, height: height))
        #expect(image.size == PixelSize(width: width, height: height))
    }

    // MARK: - Formats

    @Test(arguments: [
        ("glacier.jpg", ImageFormat.jpeg), ("eclipse.png", .png), ("fjord.webp", .webP), ("harbour.gif", .gif),
    ])
    func `each accepted format decodes, also within a box`(name: String, format: ImageFormat) throws {
        let data = try Pictures.asset(name)
        let whole = try decode(data)
        #expect(whole.format == format)
        #expect(whole.size == whole.originalSize)
        #expect(whole.byteCount == data.count)
        #expect((whole.frameCount > 1) == (format == .gif))
        let small = try decode(data, within: PixelSize(width: 200, height: 100))
        #expect(small.originalSize == whole.size)
        #expect(small.size.width <= 200 && small.size.height <= 100)
        #expect(small.size.width == 200 || small.size.height == 100)
    }

    @Test(arguments: ["glacier.jpg", "fjord.webp", "eclipse.png"])
    func `a scaled picture has the mean colour of the original`(name: String) throws {
        let data = try Pictures.asset(name)
        let large = mean(of: try decode(data).pixels)
        let small = mean(of: try decode(data, within: PixelSize(width: 90, height: 90)).pixels)
        for (one, other) in zip(large, small) { #expect(abs(one - other) < 3) }
    }

    /// Where the quarters red, green, blue and white lie upright: top left, top right, bottom left, bottom right.
    @Test(
        arguments: [
            (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"), (8, "GWRB"),
        ] as [(UInt8, String)])
    func `an orientation is applied once`(orientation: UInt8, quarters: String) throws {
        let data = try OrientedJPEG.data(orientation: orientation)
        let upright = orientation > 4 ? PixelSize(width: 16, height: 32) : PixelSize(width: 32, height: 16)
        #expect(try decoder.header(of: data, limits: .standard).size == upright)
        for box in [nil, PixelSize(width: 16, height: 16)] {
            let image = try decode(data, within: box)
            let (width, height) = (image.size.width, image.size.height)
            #expect((width > height) == (upright.width > upright.height))
            let corners = [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)]
            #expect(corners.map { image.pixels[$0.0, $0.1].letter }.joined() == quarters)
        }
    }

    @Test func `the header equals the size and frame count of the decoded picture`() throws {
        let header = try decoder.header(of: try Pictures.asset("harbour.gif"), limits: .standard)
        let image = try decode(try Pictures.asset("harbour.gif"))
        #expect(
            header
                == ImageHeader(
                    format: .gif, size: image.size, frameCount: image.frameCount, color: ColorFacts(.rgb, bits: 8)))
    }

    // MARK: - Boxes

    @Test(arguments: [(40, 30), (39, 30), (10, 1_000), (1, 1), (7, 5), (1_000, 3), (40, 29)])
    func `a picture scaled into a box fits it and keeps its aspect`(width: Int, height: Int) throws {
        let box = PixelSize(width: width, height: height)
        let size = try decode(try Pictures.png(width: 40, height: 30), within: box).size
        let ideal = PixelSize(width: 40, height: 30).scaled(to: box)
        #expect(size.width <= width && size.height <= height)
        #expect(abs(size.width - ideal.width) <= 1 && abs(size.height - ideal.height) <= 1)
    }

    @Test func `a box larger than the picture changes nothing`() throws {
        let data = try Pictures.png(width: 40, height: 30)
        #expect(try decode(data, within: PixelSize(width: 400, height: 400)) == decode(data))
        #expect(try decode(data, within: .zero) == decode(data))
    }

    // MARK: - Files that are not right

    @Test func `a truncated PNG is an error`() throws {
        let data = try Pictures.png(width: 20, height: 20)
        // The last chunk holds nothing and may be missing.
        for count in 0..<(data.count - 12) {
            #expect(throws: CodecError.self, "cut after \(count) bytes") { try decode(data.prefix(count)) }
        }
    }

    @Test(arguments: ["forest-in-mist.jpg", "fjord.webp", "harbour.gif"])
    func `other truncated formats are an error or a picture of the right size`(name: String) throws {
        let data = try Pictures.asset(name)
        let size = try decoder.header(of: data, limits: .standard).size
        for count in stride(from: 0, to: data.count, by: max(1, data.count / 60)) {
            let image = try? decode(data.prefix(count), within: PixelSize(width: 50, height: 50))
            if let image { #expect(image.originalSize == size) }
            if count < data.count / 2, name.hasSuffix("jpg") || name.hasSuffix("webp") { #expect(image == nil) }
        }
    }

    @Test(arguments: ["forest-in-mist.jpg", "fjord.webp", "harbour.gif", "sunrise-poster.png"])
    func `flipped bits never crash`(name: String) throws {
        let data = try Pictures.asset(name)
        for step in 1...40 {
            var broken = data
            broken[step * (data.count - 1) / 40] ^= 0x55
            broken[min(data.count - 1, step * 7)] ^= 0xFF
            _ = try? decode(broken, within: PixelSize(width: 50, height: 50))
        }
    }

    @Test(arguments: [(65_535, 65_535), (100_000_001, 1), (16_384, 16_384), (2_147_483_647, 2_147_483_647)])
    func `a header with an excessive size is refused before decoding`(width: UInt32, height: UInt32) {
        let bomb = PNGFile(width: width, height: height, type: .colourAlpha, rows: [[0, 0, 0, 0]]).data
        #expect(throws: CodecError.self) { try decoder.header(of: bomb, limits: .standard) }
        #expect(throws: CodecError.self) { try decode(bomb, within: PixelSize(width: 10, height: 10)) }
    }

    @Test func `a picture over a limit is refused with the limit`() throws {
        let data = try Pictures.png(width: 40, height: 30)
        #expect(throws: CodecError.processor(.limitExceeded("1200 pixels, limit 39 pixels; raise --max-pixels"))) {
            try decode(data, limits: DecodeLimits(pixels: 39))
        }
        #expect(throws: CodecError.processor(.limitExceeded("\(data.count) bytes, limit 9 bytes; raise --max-size"))) {
            try decode(data, limits: DecodeLimits(bytes: 9))
        }
    }

    @Test(arguments: [
        ("<html><body></body></html>", "HTML"), ("P6, a paper size of old", "text"), ("", "empty"),
    ])
    func `other data is refused before any loader`(text: String, appearance: String) {
        #expect(throws: CodecError.notAnImage(appearance)) { try decode(Data(text.utf8)) }
    }

    @Test func `missing libvips is a local fault, not one of the file`() {
        #expect(
            VipsFailure.notLoaded.missing(for: .png)
                == .processor(.environment("PNG needs libvips (Debian package libvips42)")))
        #expect(
            VipsFailure(message: nil, isMissing: true).missing(for: .heic)
                == .processor(.environment("HEIC needs a module of libvips (Debian package libvips42)")))
    }

    @Test(arguments: [
        ("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "SVG"), ("%PDF-1.4 and so on", "PDF"),
        ("II*\u{0}\u{8}\u{0}\u{0}\u{0}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}", "TIFF"),
        ("P6 1 1 255 and pixels", "PNM"),
    ])
    func `an untrusted format is refused by name outside the sandbox`(text: String, name: String) throws {
        let text = Data(text.utf8)
        let reason = "\(name) is decoded only in the sandbox, which is not in use"
        let error = CodecError.processor(.decoderUnavailable(reason))
        #expect(throws: error) { try decode(text) }
        #expect(throws: error) { try CodecDecoder().decode(text, within: nil, limits: .standard) }
        #expect(throws: error) { try CodecDecoder().header(of: text, limits: .standard) }
    }

    @Test(
        arguments: [
            [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8),
            Array("RIFF\u{10}\u{0}\u{0}\u{0}WEBPVP8 ".utf8),
        ] as [[UInt8]])
    func `a signature followed by garbage is damaged`(signature: [UInt8]) {
        for garbage in [[], [UInt8](repeating: 0, count: 500), (0..<500).map { UInt8($0 * 37 % 256) }] {
            let error = #expect(throws: CodecError.self) { try decode(Data(signature + garbage)) }
            switch error {
            case .processor(.decodingFailed), .processor(.damaged): break
            default: Issue.record("\(String(describing: error))")
            }
        }
    }

    private func mean(of pixels: PixelBuffer) -> [Double] {
        (0..<3).map { channel in
            let values = stride(from: channel, to: pixels.bytes.count, by: 4).map { Double(pixels.bytes[$0]) }
            return values.reduce(0, +) / Double(values.count)
        }
    }
}
