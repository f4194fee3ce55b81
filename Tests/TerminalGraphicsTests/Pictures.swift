import Raster
import TerminalGraphics
import TestSupport
import Testing

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
    static func indexed(_ width: Int, _ height: Int, colors: Int, seed: UInt64 = 11) throws -> IndexedPicture {
        var numbers = SeededRandom(seed: seed)
        let indices = (0..<width * height).map { _ in UInt8((numbers.next() >> 16) % UInt64(colors)) }
        return try #require(
            IndexedPicture(
                size: PixelSize(width: width, height: height), colors: gridColors(colors), indices: indices))
    }
}
