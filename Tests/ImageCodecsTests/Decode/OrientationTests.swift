import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct OrientationTests {
    /// Red and green above, blue and white below.
    private static let quarters: PixelBuffer = {
        var picture = PixelBuffer(size: PixelSize(width: 32, height: 16), filledWith: .white)
        for y in 0..<16 {
            for x in 0..<32 where x < 16 || y < 8 {
                picture[x, y] = Color(red: y < 8 && x < 16 ? 255 : 0, green: x >= 16 ? 255 : 0, blue: y < 8 ? 0 : 255)
            }
        }
        return picture
    }()

    private static func png(_ orientation: UInt8) -> Data {
        let rows = (0..<16).map { y in
            (0..<32).flatMap { x in
                let color = quarters[x, y]
                return [color.red, color.green, color.blue]
            }
        }
        return PNGFile(width: 32, height: 16, type: .colour, exif: OrientedJPEG.tiff(orientation), rows: rows).data
    }

    /// Where the quarters lie upright: top left, top right, bottom left, bottom right.
    private static let upright: [(UInt8, String)] = [
        (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"), (8, "GWRB"),
    ]

    @Test(arguments: upright)
    func `a PNG's orientation is applied`(orientation: UInt8, corners: String) throws {
        try expect(Self.png(orientation), corners, isTurned: orientation > 4)
    }

    @Test(arguments: upright)
    func `a WebP's orientation is applied`(orientation: UInt8, corners: String) throws {
        let data = try WebPWriter.oriented(Self.quarters, exif: OrientedJPEG.tiff(orientation))
        try expect(data, corners, isTurned: orientation > 4)
    }

    @Test(arguments: [0, 9, 255] as [UInt8])
    func `an invalid orientation changes nothing`(orientation: UInt8) throws {
        try expect(Self.png(orientation), "RGBW", isTurned: false)
        try expect(try OrientedJPEG.data(orientation: orientation), "RGBW", isTurned: false)
    }

    @Test(arguments: [(8, false), (8, true), (16, false)] as [(UInt8, Bool)])
    func `the reported orientation of a PNG is the applied one`(depth: UInt8, isInterlaced: Bool) throws {
        var file = PNGFile(
            width: 8, height: 4, depth: depth, type: .colour, isInterlaced: isInterlaced,
            rows: Array(repeating: [UInt8](repeating: 0, count: 3 * Int(depth)), count: 4))
        let exif = OrientedJPEG.tiff(6)
        let late = file.data.dropLast(12) + PNGFile.chunk("eXIf", exif) + file.data.suffix(12)
        file.exif = exif
        for (data, number) in [(file.data, 6), (Data(late), 1)] {
            #expect(StatedOrientation.read(data, .png) == number)
            let size = number == 6 ? PixelSize(width: 4, height: 8) : PixelSize(width: 8, height: 4)
            #expect(try CodecDecoder().decode(data, within: nil, limits: .standard).size == size)
        }
    }

    private func expect(_ data: Data, _ corners: String, isTurned: Bool) throws {
        let size = isTurned ? PixelSize(width: 16, height: 32) : PixelSize(width: 32, height: 16)
        #expect(try CodecDecoder().header(of: data, limits: .standard).size == size)
        for box in [nil, PixelSize(width: 16, height: 16)] {
            let image = try CodecDecoder().decode(data, within: box, limits: .standard)
            let (width, height) = (image.size.width, image.size.height)
            #expect(image.originalSize == size)
            #expect((width > height) == !isTurned)
            let places = [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)]
            #expect(places.map { image.pixels[$0.0, $0.1].letter }.joined() == corners)
        }
    }
}

extension Color {
    /// The letter of the nearest of red, green, blue and white.
    var letter: String {
        switch (red > 128, green > 128, blue > 128) {
        case (true, false, false): "R"
        case (false, true, false): "G"
        case (false, false, true): "B"
        case (true, true, true): "W"
        default: "?"
        }
    }
}
