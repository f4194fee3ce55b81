import Foundation
import ImageLoading
import Raster

/// Draws the first letter of a name, white on a colour derived from the name.
struct LetterAvatarProvider: ImageDataProvider {
    let name: String
    var side = 120

    var cacheKey: String { "letter-avatar:\(side):\(name)" }

    /// The letters A to Z, each three columns by five rows, one bit per dot from the upper left.
    private static let letters: [UInt16] = [
        0o25755, 0o65656, 0o34443, 0o65556, 0o74647, 0o74644, 0o34553, 0o55755, 0o72227, 0o11152, 0o55655, 0o44447,
        0o57755, 0o65555, 0o25552, 0o65644, 0o25573, 0o65655, 0o34216, 0o72222, 0o55557, 0o55552, 0o55775, 0o55255,
        0o55222, 0o71247,
    ]

    func data() async throws -> Data {
        let first = name.uppercased().unicodeScalars.first { ("A"..."Z").contains($0) } ?? "X"
        let letter = Self.letters[Int(first.value) - 65]
        let hue = name.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) }
        let ground = Color(red: UInt8(hue % 128), green: UInt8(hue / 128 % 128), blue: UInt8(hue / 16384 % 128))
        var pixels = PixelBuffer(size: PixelSize(width: side, height: side), filledWith: ground)
        for y in 0..<side {
            for x in 0..<side {
                let (column, row) = (x * 7 / side - 2, y * 9 / side - 2)
                guard (0..<3).contains(column), (0..<5).contains(row) else { continue }
                if letter >> UInt16(14 - row * 3 - column) & 1 == 1 { pixels[x, y] = .white }
            }
        }
        return try pixels.pngData()
    }
}
