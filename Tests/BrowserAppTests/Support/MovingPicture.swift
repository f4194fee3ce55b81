import Foundation
import Raster

/// A GIF whose every frame has one colour, for ever.
enum MovingPicture {
    static func gif(_ colors: [Color], size: PixelSize, delay hundredths: Int = 10) -> Data {
        var file = Array("GIF89a".utf8) + number(size.width) + number(size.height) + [0, 0, 0]
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for color in colors {
            file += [0x21, 0xF9, 4, 4] + number(hundredths) + [0, 0]
            file += [0x2C, 0, 0, 0, 0] + number(size.width) + number(size.height) + [0x81]
            file += [color.red, color.green, color.blue] + Array(repeating: 0, count: 9)
            file += [2] + blocks(codes(pixels: size.area))
        }
        return Data(file + [0x3B])
    }

    /// Codes of three bits: colour 0 all over, the table cleared (4) before it grows, and the end (5).
    private static func codes(pixels: Int) -> [UInt8] {
        let codes = (0..<pixels).flatMap { $0.isMultiple(of: 2) ? [4, 0] : [0] } + [5]
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for code in codes {
            bits |= code << count
            count += 3
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        return bytes + [UInt8(truncatingIfNeeded: bits)]
    }

    private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start in
            let part = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(part.count)] + part
        } + [0]
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
