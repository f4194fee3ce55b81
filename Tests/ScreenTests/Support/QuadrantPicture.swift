/// A picture of four flat quarters, small and quick to encode, whose colours are found again on any screen.
struct QuadrantPicture: Sendable {
    let width: Int
    let height: Int
    /// Top left, top right, bottom left, bottom right; red, green and blue.
    let colors: [[UInt8]]

    static let one = QuadrantPicture(
        width: 120, height: 80, colors: [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]])
    static let two = QuadrantPicture(
        width: 80, height: 120, colors: [[0, 255, 255], [255, 0, 255], [255, 128, 0], [128, 0, 255]])
    static let three = QuadrantPicture(
        width: 60, height: 60, colors: [[255, 255, 255], [128, 128, 128], [0, 128, 0], [128, 0, 0]])

    static let all: [(name: String, picture: QuadrantPicture)] = [
        ("one.png", one), ("two.png", two), ("three.png", three),
    ]

    /// No larger than thumbnails are, in colours that no text has.
    static let unlikeText: [(name: String, picture: QuadrantPicture)] = [
        (
            "one.png",
            QuadrantPicture(
                width: 100, height: 60, colors: [[200, 60, 120], [60, 200, 160], [160, 100, 220], [220, 160, 60]])
        ),
        (
            "two.png",
            QuadrantPicture(
                width: 48, height: 60, colors: [[120, 30, 70], [30, 120, 90], [90, 60, 140], [140, 100, 30]])
        ),
        (
            "three.png",
            QuadrantPicture(
                width: 44, height: 44, colors: [[240, 120, 170], [110, 220, 170], [190, 150, 250], [250, 200, 120]])
        ),
    ]

    /// A PNG with 8-bit RGB rows, stored and not compressed (W3C PNG; RFC 1950, RFC 1951 section 3.2.4).
    var png: [UInt8] {
        let header = Self.big(width) + Self.big(height) + [8, 2, 0, 0, 0]
        let chunks = [("IHDR", header), ("IDAT", Self.stored(rows)), ("IEND", [])]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.flatMap(Self.chunk)
    }

    private var rows: [UInt8] {
        (0..<height).flatMap { row -> [UInt8] in
            let colors = colors[(row * 2 / height) * 2..<(row * 2 / height) * 2 + 2]
            return [0] + (0..<width).flatMap { (x: Int) -> [UInt8] in colors[colors.startIndex + x * 2 / width] }
        }
    }

    private static func big(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(data.count) + body + big(Int(checksum(body)))
    }

    private static func stored(_ data: [UInt8]) -> [UInt8] {
        let starts = Array(stride(from: 0, to: data.count, by: 65_535))
        let blocks = starts.flatMap { start in
            let block = data[start..<min(start + 65_535, data.count)]
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            return [start == starts.last ? 1 : 0, low, high, ~low, ~high] + block
        }
        return [0x78, 0x01] + blocks + big(adler(data))
    }

    private static func adler(_ data: [UInt8]) -> Int {
        let sums = data.reduce((1, 0)) { sums, byte in
            let first = (sums.0 + Int(byte)) % 65_521
            return (first, (sums.1 + first) % 65_521)
        }
        return sums.1 << 16 | sums.0
    }

    private static func checksum(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(~UInt32(0)) { (sum: UInt32, byte: UInt8) -> UInt32 in
            var value = sum ^ UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0xEDB8_8320 }
            return value
        }
    }
}
