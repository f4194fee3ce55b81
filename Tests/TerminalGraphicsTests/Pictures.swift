import Raster
import TerminalGraphics
import TestSupport
import Testing

/// Pictures made in code.
enum Pictures {
    static func make(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> Color) -> PixelBuffer {
        PixelBuffer(size: PixelSize(width: width, height: height)) { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let (color, place) = (color(x, y), (y * width + x) * 4)
                    (bytes[place], bytes[place + 1]) = (color.red, color.green)
                    (bytes[place + 2], bytes[place + 3]) = (color.blue, color.alpha)
                }
            }
        }
    }

    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 7) -> PixelBuffer {
        var numbers = SeededRandom(seed: seed)
        return make(width, height) { _, _ in
            let bits = numbers.next()
            return Color(
                red: UInt8(truncatingIfNeeded: bits >> 8), green: UInt8(truncatingIfNeeded: bits >> 24),
                blue: UInt8(truncatingIfNeeded: bits >> 40))
        }
    }

    /// Something with the smooth slopes of a photograph: red across, green down, blue along the diagonal.
    static func slopes(_ width: Int, _ height: Int) -> PixelBuffer {
        make(width, height) { x, y in
            Color(
                red: UInt8(x * 255 / max(1, width - 1)), green: UInt8(y * 255 / max(1, height - 1)),
                blue: UInt8((x + y) * 255 / max(1, width + height - 2)))
        }
    }

    /// Different colours of the register grid, as many as asked for.
    static func gridColors(_ count: Int) -> [Color] {
        (0..<count).map { number in
            Color(
                red: RegisterGrid.intensity(of: number % 10 * 11),
                green: RegisterGrid.intensity(of: number / 10 % 10 * 11),
                blue: RegisterGrid.intensity(of: number / 100 * 33))
        }
    }

    /// A picture of random indices.
    static func indexed(_ width: Int, _ height: Int, colors: Int, seed: UInt64 = 11) throws -> IndexedPicture {
        var numbers = SeededRandom(seed: seed)
        let indices = (0..<width * height).map { _ in UInt8((numbers.next() >> 16) % UInt64(colors)) }
        return try #require(
            IndexedPicture(
                size: PixelSize(width: width, height: height), colors: gridColors(colors), indices: indices))
    }
}
