import Raster

/// Draws a border along the picture's edges, within them, source-over.
///
/// The line's middle runs half its width inside the edges; `radius` is that of the middle. So a round corner is
/// `radius + lineWidth / 2` at the picture's edge and `radius − lineWidth / 2` inside; a radius of 0 gives sharp corners.
/// The line covers a pixel by the part of its area between the two outlines.
public struct BorderImageProcessor: ImageProcessor {
    /// Black by default.
    public let color: Color
    /// In pixels, 4 by default, 0…16,384.
    public let lineWidth: Double
    /// 0 by default; the line's outer edge is at most half the shorter side.
    public let radius: CornerRadius
    /// All four by default.
    public let corners: Corners

    public init(
        color: Color = .black, lineWidth: Double = 4, radius: CornerRadius = .point(0), corners: Corners = .all
    ) {
        self.color = color
        self.lineWidth = lineWidth.isFinite ? lineWidth.limited(to: 0...CornerRadius.largest) : 0
        self.radius = radius.limited
        self.corners = corners
    }

    public var identifier: String {
        var text = IdentifierText("border", NumberText.text(lineWidth), ColorText.text(color))
        text.add("radius", radius == .point(0) ? nil : radius.text)
        text.add("corners", corners == .all ? nil : corners.text)
        return text.whole
    }

    public func scaled(by factor: Double) -> any ImageProcessor {
        BorderImageProcessor(
            color: color, lineWidth: lineWidth * factor, radius: radius.multiplied(by: factor), corners: corners)
    }

    public func process(_ image: Image) -> Image {
        let size = image.size
        let half = lineWidth / 2
        let wanted = radius.pixels(in: size)
        let room = max(0, Double(min(size.width, size.height)) / 2 - half)
        let middle = min(wanted, room)
        let outer = RoundedRectangle(size, radius: middle > 0 ? middle + half : 0, corners: corners)
        let inner = RoundedRectangle(size, inset: lineWidth, radius: max(0, middle - half), corners: corners)
        let line = Pixel(color)
        var hole = [Float](repeating: 0, count: size.width)
        let pixels = image.pixels.weighted { y, row in
            outer.coverage(ofRow: y, into: &row)
            inner.coverage(ofRow: y, into: &hole)
            for x in row.indices { row[x] -= hole[x] }
        } _: { pixel, weight in
            weight > 0 ? line.faded(by: weight).over(pixel) : pixel
        }
        return image.with(pixels)
    }
}
