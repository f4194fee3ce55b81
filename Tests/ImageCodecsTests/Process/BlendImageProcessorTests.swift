import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct BlendImageProcessorTests {
    private static let backgrounds: [Color?] = [
        nil, Color(red: 0xC8, green: 0x64, blue: 0x32), .black, .white, Color(red: 90, green: 90, blue: 90),
        Color(red: 255, green: 0, blue: 64, alpha: 100), Color(red: 20, green: 250, blue: 1, alpha: 0),
    ]

    private func expectReference(_ processor: BlendImageProcessor, on picture: PixelBuffer) throws {
        let backdrop =
            processor.background.map { ReferencePixel($0) } ?? ReferencePixel(0, 0, 0, 0)
        expectPixels(try processor.pixels(of: picture)) { x, y in
            var source = ReferencePixel(picture[x, y])
            source.alpha *= processor.alpha
            return BlendReference.composite(source, backdrop, processor.blendMode)
        }
    }

    @Test(arguments: BlendMode.allCases)
    func `each mode follows the formula of the specification`(mode: BlendMode) throws {
        for background in Self.backgrounds {
            for picture in Probes.all {
                for alpha in [1, 0.35, 0] {
                    let processor = BlendImageProcessor(blendMode: mode, alpha: alpha, background: background)
                    try expectReference(processor, on: picture)
                }
            }
        }
    }

    @Test(arguments: BlendMode.allCases)
    func `each mode handles extreme channel values`(mode: BlendMode) throws {
        let ends: [UInt8] = [0, 63, 64, 127, 128, 255]
        var picture = PixelBuffer(size: PixelSize(width: 36, height: 6), filledWith: .black)
        for y in 0..<6 {
            for x in 0..<36 { picture[x, y] = Color(red: ends[x / 6], green: ends[x % 6], blue: ends[y]) }
        }
        for red in ends {
            for green in [0, 64, 255] as [UInt8] {
                let background = Color(red: red, green: green, blue: 128)
                try expectReference(BlendImageProcessor(blendMode: mode, background: background), on: picture)
            }
        }
    }

    @Test(arguments: BlendMode.allCases)
    func `results of random colours stay in range`(mode: BlendMode) {
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            let source = Pixel.random(in: 0...1, using: &random)
            let backdrop = Pixel.random(in: 0...1, using: &random)
            let result = mode.composite(source, onto: backdrop)
            #expect(result.min() >= -1e-5 && result.max() <= 1 + 1e-4)
        }
    }

    /// The picture is the source and the background the backdrop: colours in which the two differ.
    @Test func `the picture is the source and the background is the backdrop`() throws {
        let picture = PixelBuffer(
            size: PixelSize(width: 1, height: 1), filledWith: Color(red: 100, green: 200, blue: 0))
        let background = Color(red: 0xC8, green: 0x64, blue: 0x32)
        func blended(_ mode: BlendMode) throws -> Color {
            try BlendImageProcessor(blendMode: mode, background: background).pixels(of: picture)[0, 0]
        }
        #expect(try blended(.multiply) == Color(red: 78, green: 78, blue: 0))
        #expect(try blended(.colorBurn) == Color(red: 115, green: 57, blue: 0))
        #expect(try blended(.overlay) == Color(red: 188, green: 157, blue: 0))
        #expect(try blended(.destination) == background)
        #expect(try blended(.copy) == picture[0, 0])
    }

    @Test func `without a background a blend mode changes nothing`() throws {
        let picture = Pictures.gradient(PixelSize(width: 8, height: 8), alpha: 77)
        #expect(try BlendImageProcessor(blendMode: .multiply).pixels(of: picture) == picture)
        #expect(try BlendImageProcessor(blendMode: .hue).pixels(of: picture) == picture)
    }

    @Test func `the mode names equal those of the specification`() {
        let blending = BlendMode.allCases.prefix(16).map(\.rawValue)
        #expect(
            blending == [
                "normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn",
                "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity",
            ])
        #expect(BlendMode.allCases.count == 29)
    }
}
