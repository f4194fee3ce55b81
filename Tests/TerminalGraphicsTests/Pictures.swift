import Raster
import TestSupport

@testable import TerminalGraphics

extension Pictures {
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
    static func indexed(_ width: Int, _ height: Int, colors: Int, seed: UInt64 = 11) -> IndexedPicture {
        var numbers = SeededRandom(seed: seed)
        let indices = (0..<width * height).map { _ in UInt8((numbers.next() >> 16) % UInt64(colors)) }
        return IndexedPicture(
            size: PixelSize(width: width, height: height), trusted: gridColors(colors), indices: indices)
    }
}

extension IndexedPicture {
    /// The picture with every index replaced by its colour.
    var pixels: PixelBuffer {
        PixelBuffer(size: size) { bytes in
            for (position, index) in indices.enumerated() {
                let color = colors[Int(index)]
                bytes[position * 4] = color.red
                bytes[position * 4 + 1] = color.green
                bytes[position * 4 + 2] = color.blue
                bytes[position * 4 + 3] = 255
            }
        }
    }
}

extension EncodedPicture {
    /// The control string that draws at the cursor; nil for other protocols and for pictures of several tiles.
    var sixelStream: [UInt8]? {
        guard case .sixel(let tiles) = content, tiles.count == 1 else { return nil }
        return tiles[0].stream
    }
}
