import Raster

/// A processor that draws a border inside the edges of the picture, source-over.
///
/// The centre line runs half the line width inside the edges and has the corner radius `radius`. A rounded corner
/// therefore has the radius `radius + lineWidth / 2` at the picture's edge and `radius − lineWidth / 2` on the inside;
/// a radius of 0 gives sharp corners. The weight of a pixel is the part of its area between the two outlines.
public struct BorderImageProcessor: ImageProcessor {
    /// The colour of the border; black by default.
    public let color: Color
    /// The width of the border in pixels; 4 by default, clamped to 0…16,384.
    public let lineWidth: Double
    /// The corner radius of the centre line; 0 by default.
    ///
    /// The radius of the border's outer edge is at most half the shorter side of the picture.
    public let radius: CornerRadius
    /// The rounded corners; all four by default.
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
