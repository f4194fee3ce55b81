import Raster
import Testing

@testable import AlcedoImageCodecs

/// A rounded rectangle asked point by point, 25×25 points a pixel; nothing of it is shared with the real one.
struct PointwiseOutline {
    let left, top, right, bottom, radius: Double
    let corners: Corners
    private static let points = 25

    init(_ size: PixelSize, inset: Double = 0, radius: Double, corners: Corners = .all) {
        (left, top) = (inset, inset)
        (right, bottom) = (Double(size.width) - inset, Double(size.height) - inset)
        self.radius = radius
        self.corners = corners
    }

    func contains(_ x: Double, _ y: Double) -> Bool {
        guard x >= left, x <= right, y >= top, y <= bottom else { return false }
        let (isLeft, isTop) = (x + x < left + right, y + y < top + bottom)
        let corner: Corners = isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
        guard corners.contains(corner) else { return true }
        let dx = isLeft ? left + radius - x : x - right + radius
        let dy = isTop ? top + radius - y : y - bottom + radius
        return dx <= 0 || dy <= 0 || dx * dx + dy * dy <= radius * radius
    }

    func coverage(_ x: Int, _ y: Int) -> Double {
        let (x, y) = (Double(x), Double(y))
        // The outline is convex.
        if contains(x, y), contains(x + 1, y), contains(x, y + 1), contains(x + 1, y + 1) { return 1 }
        let steps = (0..<Self.points).map { (Double($0) + 0.5) / Double(Self.points) }
        var inside = 0
        for row in steps { for column in steps where contains(x + column, y + row) { inside += 1 } }
        return Double(inside) / Double(Self.points * Self.points)
    }
}

/// What 25×25 points may be wrong by in a pixel that an outline crosses.
let coverageTolerance = 0.03

@Suite(.timeLimit(.minutes(1)))
struct RoundedRectangleTests {
    @Test(
        arguments: [
            (20, 20, 0.0, 6.0, Corners.all), (21, 16, 0, 8, .all), (9, 9, 0, 4.5, .all), (12, 12, 0, 0.4, .all),
            (17, 23, 0, 2.3, [.topLeft, .bottomRight]), (16, 11, 2.25, 3.1, .all), (16, 11, 1.5, 0, .all),
            (15, 15, 0.5, 7, [.topRight]), (1, 1, 0, 0.5, .all), (1, 9, 0, 0.5, .all), (9, 2, 0, 1, [.bottomLeft]),
        ] as [(Int, Int, Double, Double, Corners)])
    func `each pixel is covered by its area inside the outline`(
        width: Int, height: Int, inset: Double, radius: Double, corners: Corners
    ) {
        let size = PixelSize(width: width, height: height)
        let outline = RoundedRectangle(size, inset: inset, radius: radius, corners: corners)
        let reference = PointwiseOutline(size, inset: inset, radius: radius, corners: corners)
        var row = [Float](repeating: .nan, count: width)
        for y in 0..<height {
            outline.coverage(ofRow: y, into: &row)
            for x in 0..<width {
                #expect(abs(Double(row[x]) - reference.coverage(x, y)) <= coverageTolerance, "at \(x), \(y)")
            }
        }
    }

    @Test(arguments: [3.0, 7.5, 40, 150])
    func `the total coverage is the area of a rounded rectangle`(radius: Double) {
        let size = PixelSize(width: 301, height: 302)
        let outline = RoundedRectangle(size, radius: radius, corners: .all)
        var row = [Float](repeating: 0, count: size.width)
        var sum = 0.0
        for y in 0..<size.height {
            outline.coverage(ofRow: y, into: &row)
            sum += row.reduce(0) { $0 + Double($1) }
        }
        let area = Double(size.area) - (4 - Double.pi) * radius * radius
        #expect(abs(sum - area) < 0.02)
    }

    @Test func `a radius is at most half the shorter side`() {
        let size = PixelSize(width: 30, height: 10)
        #expect(RoundedRectangle(size, radius: 99, corners: .all).radius == 5)
        #expect(RoundedRectangle(size, inset: 2, radius: 99, corners: .all).radius == 3)
        #expect(RoundedRectangle(size, inset: 20, radius: 99, corners: .all).radius == 0)
        #expect(RoundedRectangle(size, radius: .nan, corners: .all).radius == 0)
    }
}
