import Foundation
import Raster

/// A rectangle with rounded corners that computes the covered area of each pixel.
struct RoundedRectangle {
    let left: Double
    let top: Double
    let right: Double
    let bottom: Double
    let radius: Double
    let corners: Corners

    /// Creates the outline of a picture, reduced by `inset` on each side.
    ///
    /// - Parameters:
    ///   - size: The size of the picture.
    ///   - inset: The distance from the picture's edges in pixels; 0 by default.
    ///   - radius: The corner radius in pixels, clamped to half the shorter side of the rectangle.
    ///   - corners: The corners to round.
    init(_ size: PixelSize, inset: Double = 0, radius: Double, corners: Corners) {
        left = inset
        top = inset
        right = max(inset, Double(size.width) - inset)
        bottom = max(inset, Double(size.height) - inset)
        self.radius = radius.limited(to: 0...(min(right - left, bottom - top) / 2))
        self.corners = corners
    }

    /// Writes the exact covered area of each pixel in row `y`, 0…1.
    func coverage(ofRow y: Int, into row: inout [Float]) {
        let height = overlap(y, top, bottom)
        for x in row.indices { row[x] = Float(height * overlap(x, left, right)) }
        guard radius > 0, height > 0 else { return }
        let isAbove = Double(y) < top + radius
        let isBelow = Double(y) + 1 > bottom - radius
        if isAbove { cut(&row, rows: span(top + radius - Double(y) - 1), left: .topLeft, right: .topRight) }
        if isBelow { cut(&row, rows: span(Double(y) - bottom + radius), left: .bottomLeft, right: .bottomRight) }
    }

    private func overlap(_ position: Int, _ low: Double, _ high: Double) -> Double {
        max(0, min(Double(position) + 1, high) - max(Double(position), low))
    }

    /// Returns the extent of a pixel, measured outwards from a corner's centre and clamped to the radius.
    private func span(_ start: Double) -> ClosedRange<Double> {
        let low = start.limited(to: 0...radius)
        return low...max(low, min(start + 1, radius))
    }

    /// Subtracts the area in a corner's square that lies outside its quarter circle.
    private func cut(_ row: inout [Float], rows: ClosedRange<Double>, left leftCorner: Corners, right: Corners) {
        if corners.contains(leftCorner) {
            for x in columns(from: left, to: left + radius, of: row) {
                row[x] -= Float(missing(columns: span(left + radius - Double(x) - 1), rows: rows))
            }
        }
        if corners.contains(right) {
            for x in columns(from: self.right - radius, to: self.right, of: row) {
                row[x] -= Float(missing(columns: span(Double(x) - self.right + radius), rows: rows))
            }
        }
    }

    private func columns(from low: Double, to high: Double, of row: [Float]) -> Range<Int> {
        let first = min(max(0, Int(low.rounded(.down))), row.count)
        return first..<max(first, min(row.count, Int(high.rounded(.up))))
    }

    /// Returns the area of a box that lies outside a circle about the origin.
    private func missing(columns: ClosedRange<Double>, rows: ClosedRange<Double>) -> Double {
        let (near, far) = (columns.lowerBound, columns.upperBound)
        let area = (far - near) * (rows.upperBound - rows.lowerBound)
        let squared = radius * radius
        if far * far + rows.upperBound * rows.upperBound <= squared { return 0 }
        if near * near + rows.lowerBound * rows.lowerBound >= squared { return area }
        // Up to `full` the whole width lies inside the circle; above `none` no part of it does.
        let full = max(0, squared - far * far).squareRoot().limited(to: rows)
        let none = max(0, squared - near * near).squareRoot().limited(to: rows)
        let inside = (far - near) * (full - rows.lowerBound) + integral(none) - integral(full) - near * (none - full)
        return max(0, area - inside)
    }

    /// Returns ∫₀ʸ √(r² − t²) dt = ½ (y √(r² − y²) + r² asin(y / r)).
    private func integral(_ y: Double) -> Double {
        let chord = max(0, radius * radius - y * y).squareRoot()
        // `atan2` equals asin(y / r) without its loss of precision near r.
        return (y * chord + radius * radius * atan2(y, chord)) / 2
    }
}
