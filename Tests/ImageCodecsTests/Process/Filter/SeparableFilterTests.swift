import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct SeparableFilterTests {
    @Test(arguments: [1, 77, 200, 255] as [UInt8], [(40, 30), (7, 3), (1, 1), (100, 70)])
    func `a uniform picture stays uniform`(value: UInt8, target: (Int, Int)) {
        let color = Color(red: value, green: 255 - value, blue: 128, alpha: max(1, value))
        let large = PixelBuffer(size: PixelSize(width: 61, height: 45), filledWith: color)
        let small = large.resampled(to: PixelSize(width: target.0, height: target.1))
        for pixel in 0..<small.size.area {
            let result = small[pixel % small.size.width, pixel / small.size.width]
            // Of faint pixels only few levels of colour are left, premultiplied.
            let slack = 1 + 255 / Int(color.alpha) / 2
            #expect(result.alpha == color.alpha)
            #expect(abs(Int(result.red) - Int(color.red)) <= slack)
            #expect(abs(Int(result.blue) - Int(color.blue)) <= slack)
        }
    }

    /// The formula, pixel by pixel in double precision; nothing of it is shared with the filter.
    @Test(arguments: [(23, 17), (13, 20), (46, 38), (94, 61), (20, 100), (400, 39)])
    func `a scaled pixel follows the Lanczos formula`(target: (Int, Int)) {
        let large = Pictures.gradient(PixelSize(width: 47, height: 39))
        let small = large.resampled(to: PixelSize(width: target.0, height: target.1))
        for (x, y) in [(0, 0), (5, 7), (target.0 - 1, target.1 - 1)] {
            let columns = Self.weights(47, target.0, x)
            let lines = Self.weights(39, target.1, y)
            let red = lines.reduce(0.0) { sum, line in
                sum + line.weight * columns.reduce(0.0) { $0 + $1.weight * Double(large[$1.place, line.place].red) }
            }
            #expect(abs(Double(small[x, y].red) - min(255, max(0, red))) <= 1)
        }
    }

    private static func weights(_ source: Int, _ target: Int, _ result: Int) -> [(place: Int, weight: Double)] {
        let scale = Double(source) / Double(target)
        let center = (Double(result) + 0.5) * scale - 0.5
        let all = (-40..<source + 40).map { place -> (place: Int, weight: Double) in
            let x = (Double(place) - center) / max(1, scale)
            let weight =
                abs(x) >= 3 ? 0 : x == 0 ? 1 : 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
            return (min(max(place, 0), source - 1), weight)
        }
        let sum = all.reduce(0) { $0 + $1.weight }
        return all.map { ($0.place, $0.weight / sum) }
    }

    @Test func `transparent pixels do not contribute colour`() {
        var large = PixelBuffer(
            size: PixelSize(width: 40, height: 40), filledWith: Color(red: 255, green: 0, blue: 0, alpha: 0))
        for x in 0..<20 { for y in 0..<40 { large[x, y] = Color(red: 0, green: 0, blue: 200) } }
        let small = large.resampled(to: PixelSize(width: 16, height: 16))
        for x in 0..<16 where small[x, 8].alpha > 8 { #expect(small[x, 8].red <= 2 && small[x, 8].blue >= 190) }
        #expect(small[15, 8] == Color(red: 0, green: 0, blue: 0, alpha: 0))
    }

    @Test func `rows can be added in any portions`() {
        let large = Pictures.gradient(PixelSize(width: 50, height: 41))
        let (size, target) = (large.size, PixelSize(width: 11, height: 9))
        var filter = SeparableFilter(scaling: size, to: target, isOpaque: large.isOpaque)
        var rows = 0
        for count in [1, 7, 3, 30] {
            #expect(filter.picture == nil)
            large.bytes.withUnsafeBytes { bytes in
                filter.add(UnsafeRawBufferPointer(rebasing: bytes[rows * 200..<(rows + count) * 200]))
            }
            rows += count
        }
        #expect(filter.picture == large.resampled(to: target))
    }
}
