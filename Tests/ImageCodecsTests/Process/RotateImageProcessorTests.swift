import Foundation
import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct RotateImageProcessorTests {
    private func rotate(_ picture: PixelBuffer, _ angle: Double) throws -> PixelBuffer {
        try RotateImageProcessor(angle: angle).pixels(of: picture)
    }

    @Test func `a quarter turn rotates clockwise`() throws {
        for picture in Probes.all {
            let (width, height) = (picture.size.width, picture.size.height)
            let result = try rotate(picture, 90)
            #expect(result.size == PixelSize(width: height, height: width))
            for y in 0..<height { for x in 0..<width { #expect(result[height - 1 - y, x] == picture[x, y]) } }
        }
    }

    @Test func `quarter turns are additive`() throws {
        for picture in Probes.all {
            let once = try rotate(picture, 90)
            #expect(try rotate(once, 90) == rotate(picture, 180))
            #expect(try rotate(rotate(once, 90), 90) == rotate(picture, 270))
            #expect(try rotate(rotate(picture, 180), 180) == picture)
            #expect(try rotate(rotate(picture, 270), 90) == picture)
        }
    }

    @Test(arguments: [
        (450, 90), (-90, 270), (-360, 0), (720, 0), (-1e-300, 0), (.nan, 0), (.infinity, 0), (30.5, 30.5),
    ])
    func `an angle is reduced to one turn`(angle: Double, rest: Double) {
        #expect(RotateImageProcessor(angle: angle).angle == rest)
    }

    /// A pixel of the picture or nothing, its colour times its alpha.
    private func premultiplied(_ picture: PixelBuffer, _ x: Double, _ y: Double) -> [Double] {
        guard x >= 0, y >= 0, x < Double(picture.size.width), y < Double(picture.size.height) else {
            return [0, 0, 0, 0]
        }
        let pixel = ReferencePixel(picture[Int(x), Int(y)])
        return pixel.premultiplied + [pixel.alpha]
    }

    @Test(arguments: [10, 33.3, 45, 89, 135, 200, 301.7])
    func `any other angle follows the bilinear formula`(angle: Double) throws {
        let turn = (sine: sin(angle * .pi / 180), cosine: cos(angle * .pi / 180))
        for picture in Probes.all {
            let (width, height) = (Double(picture.size.width), Double(picture.size.height))
            let result = try rotate(picture, angle)
            #expect(result.size.width == Int(ceil(width * abs(turn.cosine) + height * abs(turn.sine) - 1e-9)))
            #expect(result.size.height == Int(ceil(width * abs(turn.sine) + height * abs(turn.cosine) - 1e-9)))
            expectPixels(result, within: 0.6) { column, row in
                let x = Double(column) + 0.5 - Double(result.size.width) / 2
                let y = Double(row) + 0.5 - Double(result.size.height) / 2
                let sourceX = x * turn.cosine + y * turn.sine + width / 2 - 0.5
                let sourceY = y * turn.cosine - x * turn.sine + height / 2 - 0.5
                let (left, top) = (floor(sourceX), floor(sourceY))
                var sum = [0.0, 0, 0, 0]
                for (dx, dy) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
                    let weight = (1 - abs(sourceX - left - dx)) * (1 - abs(sourceY - top - dy))
                    sum = zip(sum, premultiplied(picture, left + dx, top + dy)).map { $0 + weight * $1 }
                }
                return ReferencePixel(premultiplied: Array(sum.prefix(3)), alpha: sum[3])
            }
        }
    }

    @Test func `an excessive canvas is refused`() {
        let wide = PixelBuffer(size: PixelSize(width: 16_384, height: 2), filledWith: .white)
        #expect(throws: CodecError.self) { try rotate(wide, 45) }
    }
}
