import Foundation

/// A picture in memory, 8-bit RGB, read from a PPM.
struct Bitmap: Sendable {
    /// A rectangle of pixels.
    struct Area: Equatable, Sendable {
        var x: Range<Int>
        var y: Range<Int>
    }

    let width: Int
    let height: Int
    private let bytes: [UInt8]

    /// Nil when it is no PPM of format P6 with 255 levels.
    init?(ppm data: Data) {
        let fields = data.prefix(64).split(maxSplits: 4, omittingEmptySubsequences: true) { [10, 32].contains($0) }
        guard fields.count == 5, fields[0].elementsEqual("P6".utf8), fields[3].elementsEqual("255".utf8),
            let width = Int(String(decoding: fields[1], as: UTF8.self)),
            let height = Int(String(decoding: fields[2], as: UTF8.self)), data.count > width * height * 3
        else { return nil }
        (self.width, self.height) = (width, height)
        bytes = Array(data.suffix(width * height * 3))
    }

    private init(width: Int, height: Int, bytes: [UInt8]) {
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// The same in another size, each pixel by its nearest.
    func stretched(width newWidth: Int, height newHeight: Int) -> Bitmap {
        let bytes = (0..<newHeight).flatMap { y in
            (0..<newWidth).flatMap { x in self[x * width / newWidth, y * height / newHeight] }
        }
        return Bitmap(width: newWidth, height: newHeight, bytes: bytes)
    }

    /// As a file, for those who look for a mistake.
    var ppm: Data { Data("P6 \(width) \(height) 255\n".utf8 + bytes) }

    var area: Area { Area(x: 0..<width, y: 0..<height) }

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * width + x) * 3
        return Array(bytes[start..<start + 3])
    }

    /// Whether a pixel shows the colour, give or take what a palette of percentages loses.
    func shows(_ color: [UInt8], x: Int, y: Int, within tolerance: Int = 4) -> Bool {
        let start = (y * width + x) * 3
        return (0..<3).allSatisfy { abs(Int(bytes[start + $0]) - Int(color[$0])) <= tolerance }
    }

    func count(of color: [UInt8], in area: Area) -> Int {
        area.y.reduce(0) { sum, y in sum + area.x.count { shows(color, x: $0, y: y) } }
    }

    /// How many pixels show one of the colours, none of which is black; black is passed over quickly.
    func count(ofAny colors: [[UInt8]]) -> Int {
        var count = 0
        for start in stride(from: 0, to: bytes.count, by: 3)
        where bytes[start] | bytes[start + 1] | bytes[start + 2] != 0 {
            let (x, y) = (start / 3 % width, start / 3 / width)
            if colors.contains(where: { shows($0, x: x, y: y) }) { count += 1 }
        }
        return count
    }

    /// The smallest area that holds every pixel that is not of the colour; nil when all are.
    ///
    /// mlterm leaves a faint trace of letters' edges in the neighbouring cell, which counts as the colour.
    func bounds(apartFrom background: [UInt8], in area: Area) -> Area? {
        var found: Area?
        for y in area.y {
            guard let left = area.x.first(where: { !shows(background, x: $0, y: y, within: 32) }),
                let right = area.x.last(where: { !shows(background, x: $0, y: y, within: 32) })
            else { continue }
            let known = found ?? Area(x: left..<right + 1, y: y..<y + 1)
            found = Area(
                x: min(known.x.lowerBound, left)..<max(known.x.upperBound, right + 1), y: known.y.lowerBound..<y + 1)
        }
        return found
    }

    /// How many pixels of the area differ from another picture's of the same size, by more than a letter's faint edge.
    func differences(to other: Bitmap, in area: Area) -> Int {
        guard width == other.width, height == other.height else { return .max }
        return area.y.reduce(0) { sum, y in sum + area.x.count { !shows(other[$0, y], x: $0, y: y, within: 40) } }
    }

    /// The mean absolute difference to another picture laid over an area of its size, in shares of the whole range.
    func meanError(to other: Bitmap, at area: Area) -> Double {
        guard area.x.count == other.width, area.y.count == other.height else { return 1 }
        var sum = 0
        for y in 0..<other.height {
            let start = ((area.y.lowerBound + y) * width + area.x.lowerBound) * 3
            for offset in 0..<other.width * 3 {
                sum += abs(Int(bytes[start + offset]) - Int(other.bytes[y * other.width * 3 + offset]))
            }
        }
        return Double(sum) / Double(max(1, other.bytes.count)) / 255
    }
}
