import Foundation
import Raster

/// Pictures made in code, and those that ship with the program.
package enum Pictures {
    /// A file of `assets/pictures`.
    package static func asset(_ name: String) throws -> Data { try Data(contentsOf: BuiltProgram.picture(name)) }

    /// The bytes of a file of `assets/pictures`, for servers and files.
    package static func bytes(_ name: String = "fjord.webp") throws -> [UInt8] { Array(try asset(name)) }

    package static func make(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> Color) -> PixelBuffer {
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

    package static func noise(_ width: Int, _ height: Int, seed: UInt64 = 7) -> PixelBuffer {
        var numbers = SeededRandom(seed: seed)
        return make(width, height) { _, _ in
            let bits = numbers.next()
            return Color(
                red: UInt8(truncatingIfNeeded: bits >> 8), green: UInt8(truncatingIfNeeded: bits >> 24),
                blue: UInt8(truncatingIfNeeded: bits >> 40))
        }
    }

    /// Something with the smooth slopes of a photograph: red across, green down, blue along the diagonal.
    package static func slopes(_ width: Int, _ height: Int) -> PixelBuffer {
        make(width, height) { x, y in
            Color(
                red: UInt8(x * 255 / max(1, width - 1)), green: UInt8(y * 255 / max(1, height - 1)),
                blue: UInt8((x + y) * 255 / max(1, width + height - 2)))
        }
    }

    /// Smooth colours with a different value in every pixel, opaque unless an alpha is given.
    package static func gradient(_ size: PixelSize, alpha: UInt8 = 255) -> PixelBuffer {
        var pixels = PixelBuffer(size: size, filledWith: .black)
        for y in 0..<size.height {
            for x in 0..<size.width {
                pixels[x, y] = Color(
                    red: UInt8(x * 255 / max(1, size.width - 1)), green: UInt8(y * 255 / max(1, size.height - 1)),
                    blue: UInt8((x * 7 + y * 13) % 256), alpha: alpha)
            }
        }
        return pixels
    }
}
