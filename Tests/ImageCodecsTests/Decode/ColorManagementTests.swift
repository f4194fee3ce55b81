import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// Colours of tagged pictures, held against their profile's own numbers; differences are those of CIE 1976.
@Suite(.timeLimit(.minutes(1)))
struct ColorManagementTests {
    /// A space of three primaries adapted to D50, and its curve.
    struct Space: Sendable, CustomTestStringConvertible {
        let name: String
        let red: [Double]
        let green: [Double]
        let blue: [Double]
        let curve: [UInt8]
        let linear: @Sendable (Double) -> Double

        var testDescription: String { name }
        var profile: [UInt8] { ColorProfile.profile(red: red, green: green, blue: blue, curve: curve) }

        func lab(_ color: Color) -> CIELab {
            let light = [color.red, color.green, color.blue].map { linear(Double($0) / 255) }
            let xyz = (0..<3).map { red[$0] * light[0] + green[$0] * light[1] + blue[$0] * light[2] }
            return CIELab(x: xyz[0], y: xyz[1], z: xyz[2])
        }
    }

    private static let spaces = [
        Space(
            name: "Adobe RGB (1998)", red: [0.60974, 0.31111, 0.01947], green: [0.20528, 0.62567, 0.06087],
            blue: [0.14919, 0.06322, 0.74457], curve: ColorProfile.power, linear: { pow($0, 2.19921875) }),
        Space(
            name: "Display P3", red: [0.51512, 0.24120, -0.00105], green: [0.29198, 0.69225, 0.04189],
            blue: [0.15710, 0.06657, 0.78407], curve: ColorProfile.standard, linear: CIELab.linear),
    ]

    /// Colours that sRGB can show, too.
    private static let colors: [Color] = [
        .white, .black, grey(18), grey(128), grey(200), Color(red: 200, green: 120, blue: 90),
        Color(red: 90, green: 140, blue: 180), Color(red: 150, green: 160, blue: 90),
        Color(red: 120, green: 80, blue: 130), Color(red: 230, green: 200, blue: 180),
        Color(red: 60, green: 90, blue: 70),
    ]

    private static func grey(_ value: UInt8) -> Color { Color(red: value, green: value, blue: value) }

    private func decode(_ data: Data) throws -> PixelBuffer {
        try CodecDecoder().decode(data, within: nil, limits: .standard).pixels
    }

    /// Profiles of version 2 and 4.
    @Test(arguments: spaces, [2, 4] as [UInt8])
    func `a tagged PNG shows the profile's colours`(space: Space, version: UInt8) throws {
        let row = Self.colors.flatMap { [$0.red, $0.green, $0.blue] }
        var profile = space.profile
        profile[8] = version
        let file = PNGFile(
            width: UInt32(Self.colors.count), height: 1, type: .colour, profile: profile, rows: [row])
        let pixels = try decode(file.data)
        for (x, color) in Self.colors.enumerated() {
            let difference = CIELab(pixels[x, 0]).difference(to: space.lab(color))
            #expect(difference <= 3, "\(color) became \(pixels[x, 0])")
        }
    }

    @Test(arguments: spaces)
    func `a tagged JPEG shows the profile's colours`(space: Space) throws {
        for color in Self.colors {
            let solid = PixelBuffer(size: PixelSize(width: 16, height: 16), filledWith: color)
            let plain = try ImageEncoder.encode(Pictures.image(solid), as: .jpeg, quality: 100)
            let name = Array("ICC_PROFILE".utf8) + [0, 1, 1]
            let segment = ProgressiveJPEG.segment(0xE2, name + space.profile)
            let shown = try decode(plain.prefix(2) + segment + plain.dropFirst(2))[8, 8]
            #expect(CIELab(shown).difference(to: space.lab(color)) <= 3, "\(color) became \(shown)")
        }
    }

    /// The test can fail: without its profile, the picture would be off by far more.
    @Test(arguments: spaces)
    func `without its profile the picture would differ`(space: Space) {
        let color = Color(red: 200, green: 120, blue: 90)
        #expect(CIELab(color).difference(to: space.lab(color)) > 6)
    }

    @Test func `colours outside sRGB are clipped to the nearest`() throws {
        let file = PNGFile(
            width: 2, height: 1, type: .colour, profile: Self.spaces[1].profile, rows: [[0, 255, 0, 255, 0, 0]])
        let pixels = try decode(file.data)
        #expect(pixels[0, 0] == Color(red: 0, green: 255, blue: 0))
        #expect(pixels[1, 0].red == 255 && pixels[1, 0].green < 8 && pixels[1, 0].blue < 8)
    }

    @Test func `a profile does not change alpha`() throws {
        let file = PNGFile(
            width: 2, height: 1, type: .colourAlpha, profile: Self.spaces[0].profile,
            rows: [[200, 120, 90, 77, 200, 120, 90, 255]])
        let pixels = try decode(file.data)
        #expect(pixels[0, 0].alpha == 77 && pixels[1, 0].alpha == 255)
        #expect(CIELab(pixels[0, 0]).difference(to: CIELab(pixels[1, 0])) <= 1)
    }

    /// A file without a profile does not say which press it is for: browsers, Pillow and ImageMagick take its inks for
    /// filters of light.
    @Test func `the four CMYK inks without a profile have the colours of browsers`() throws {
        let data = try #require(Data(base64Encoded: Self.inks, options: .ignoreUnknownCharacters))
        let pixels = try decode(data)
        let inks = [
            (4, 4, Color(red: 0, green: 255, blue: 255)), (12, 4, Color(red: 255, green: 0, blue: 255)),
            (4, 12, Color(red: 255, green: 255, blue: 0)), (12, 10, Color.black), (12, 14, Color.white),
        ]
        for (x, y, ink) in inks {
            // The file is a JPEG.
            #expect(CIELab(pixels[x, y]).difference(to: CIELab(ink)) <= 2, "\(ink) became \(pixels[x, y])")
            #expect(pixels[x, y].alpha == 255)
        }
    }

    /// A press of our own, whose inks are weaker than any real one's, so that sRGB can show them.
    @Test func `a tagged CMYK picture has the colours of its profile`() throws {
        var mixtures = [CIELab](repeating: CIELab(lightness: 45, a: 3, b: -4), count: 16)
        // Profiles speak relative to the paper, which is white.
        mixtures[0b0000] = CIELab(lightness: 100, a: 0, b: 0)
        mixtures[0b1000] = CIELab(lightness: 62, a: -22, b: -28)
        mixtures[0b0100] = CIELab(lightness: 56, a: 50, b: -3)
        mixtures[0b0010] = CIELab(lightness: 88, a: -5, b: 60)
        mixtures[0b0001] = CIELab(lightness: 22, a: 1, b: 2)
        let plain = try #require(Data(base64Encoded: Self.inks, options: .ignoreUnknownCharacters))
        let name = Array("ICC_PROFILE".utf8) + [0, 1, 1]
        let segment = ProgressiveJPEG.segment(0xE2, name + ColorProfile.press(mixtures))
        let pixels = try decode(plain.prefix(2) + segment + plain.dropFirst(2))

        let places = [(4, 4, 0b1000), (12, 4, 0b0100), (4, 12, 0b0010), (12, 10, 0b0001), (12, 14, 0)]
        for (x, y, mixture) in places {
            let difference = CIELab(pixels[x, y]).difference(to: mixtures[mixture])
            #expect(difference <= 3, "\(mixture) became \(pixels[x, y]), off by \(difference)")
        }
    }

    /// Quarters of cyan, magenta, yellow and, above paper, black; inverted as Adobe's programs write it.
    private static let inks = """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgW
        FBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAJCv/EABgQAQADAQAAAAAAAAAAAAAAAAAZZ6bk/9oA
        DgRDAE0AWQBLAAA/AJVKpqpqptVDKuA1UMq4DVQlXBjdmU7X/9k=
        """
}
