import FoundationEssentials
import Glibc
import Raster

/// A processor that rounds corners with smooth edges.
///
/// A pixel keeps α′ = α · (the part of its area inside the outline), computed exactly. A background is then drawn
/// behind the whole picture, source-over.
public struct RoundCornerImageProcessor: ImageProcessor {
    /// The corner radius; at most half the shorter side takes effect.
    public let radius: CornerRadius
    /// The size in pixels that the picture is first stretched to; nil, the default, keeps its size.
    public let targetSize: PixelSize?
    /// The rounded corners; all four by default.
    public let corners: Corners
    /// The colour behind the picture; nil, the default, means transparent.
    public let background: Color?

    /// Creates a processor; by default of all corners, with transparency behind them.
    public init(
        radius: CornerRadius, targetSize: PixelSize? = nil, roundingCorners: Corners = .all,
        backgroundColor: Color? = nil
    ) {
        self.radius = radius.limited
        self.targetSize = targetSize
        corners = roundingCorners
        background = backgroundColor
    }

    /// Creates a processor with a radius in pixels.
    public init(
        cornerRadius: Double, targetSize: PixelSize? = nil, roundingCorners: Corners = .all,
        backgroundColor: Color? = nil
    ) {
        self.init(
            radius: .point(cornerRadius), targetSize: targetSize, roundingCorners: roundingCorners,
            backgroundColor: backgroundColor)
    }

    public var identifier: String {
        var text = IdentifierText("round", radius.text)
        text.add("size", targetSize.map { "\($0.width)x\($0.height)" })
        text.add("corners", corners == .all ? nil : corners.text)
        text.add("background", background.map(ColorText.text))
        return text.whole
    }

    public func scaled(by factor: Double) -> any ImageProcessor {
        RoundCornerImageProcessor(
            radius: radius.multiplied(by: factor), targetSize: targetSize?.multiplied(by: factor),
            roundingCorners: corners,
            backgroundColor: background)
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        let pixels = try stretched(image.pixels)
        let outline = RoundedRectangle(pixels.size, radius: radius.pixels(in: pixels.size), corners: corners)
        guard let background = background.map(Pixel.init) else {
            return image.with(pixels.weighted(by: outline.coverage) { $0.faded(by: $1) })
        }
        return image.with(pixels.weighted(by: outline.coverage) { $0.faded(by: $1).over(background) })
    }

    private func stretched(_ pixels: PixelBuffer) throws(CodecError) -> PixelBuffer {
        guard let targetSize, targetSize != pixels.size else { return pixels }
        try checkResult(targetSize)
        return pixels.resampled(to: targetSize)
    }
}

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

    /// Creates a processor; by default of a black line of 4 pixels.
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

/// The radius of rounded corners; at most half the shorter side takes effect.
public enum CornerRadius: Sendable, Hashable {
    /// A radius in pixels.
    case point(Double)
    /// A fraction of the picture's width, 0…1.
    case widthFraction(Double)
    /// A fraction of the picture's height, 0…1.
    case heightFraction(Double)

    /// The largest radius in pixels.
    static let largest = 16_384.0

    /// The radius clamped to 0…16,384 pixels or 0…1 of a side; values that are not finite become 0.
    var limited: CornerRadius {
        switch self {
        case .point(let value): .point(value.isFinite ? value.limited(to: 0...Self.largest) : 0)
        case .widthFraction(let part): .widthFraction(part.isFinite ? part.limited(to: 0...1) : 0)
        case .heightFraction(let part): .heightFraction(part.isFinite ? part.limited(to: 0...1) : 0)
        }
    }

    /// Returns the radius in pixels for a picture of `size`, not limited to half its shorter side.
    func pixels(in size: PixelSize) -> Double {
        switch self {
        case .point(let value): value
        case .widthFraction(let part): part * Double(size.width)
        case .heightFraction(let part): part * Double(size.height)
        }
    }

    /// Returns the radius multiplied by a factor; fractions of a side stay unchanged.
    func multiplied(by factor: Double) -> CornerRadius {
        if case .point(let value) = self { return .point(value * factor) }
        return self
    }

    /// The text form: `20`, `25%w` or `25%h`.
    var text: String {
        switch self {
        case .point(let value): NumberText.text(value)
        case .widthFraction(let part): NumberText.percent(part) + "%w"
        case .heightFraction(let part): NumberText.percent(part) + "%h"
        }
    }

    init?(text: String) {
        let digits = text.prefix { $0 != "%" }
        let unit = text.dropFirst(digits.count)
        guard let value = NumberText.number(digits, shiftedBy: unit.isEmpty ? 0 : -2), value >= 0 else { return nil }
        switch unit {
        case "" where value <= Self.largest: self = .point(value)
        case "%w" where value <= 1: self = .widthFraction(value)
        case "%h" where value <= 1: self = .heightFraction(value)
        default: return nil
        }
    }
}

extension CornerRadius: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A radius in pixels.
    public init(integerLiteral value: Int) { self = .point(Double(value)) }
    /// A radius in pixels.
    public init(floatLiteral value: Double) { self = .point(value) }
}

/// A set of corners of a picture.
public struct Corners: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    /// Creates a set; bits without a corner are ignored.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0b1111 }

    /// The top left corner.
    public static let topLeft = Corners(rawValue: 1)
    /// The top right corner.
    public static let topRight = Corners(rawValue: 2)
    /// The bottom left corner.
    public static let bottomLeft = Corners(rawValue: 4)
    /// The bottom right corner.
    public static let bottomRight = Corners(rawValue: 8)
    /// All four corners.
    public static let all: Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]

    private static let names: [(corner: Corners, name: String)] = [
        (.topLeft, "tl"), (.topRight, "tr"), (.bottomLeft, "bl"), (.bottomRight, "br"),
    ]

    /// The names of the corners, such as `tl tr bl br`, or `none`.
    var text: String {
        isEmpty ? "none" : Self.names.filter { contains($0.corner) }.map(\.name).joined(separator: " ")
    }

    init?(text: String) {
        self = []
        guard text != "none" else { return }
        let words = text.split(separator: " ")
        for word in words {
            guard let known = Self.names.first(where: { $0.name == word }) else { return nil }
            insert(known.corner)
        }
        if words.isEmpty { return nil }
    }
}

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

extension ImageProcessor {
    /// Whether the processor makes parts transparent on purpose, so that no checkerboard should show through them.
    package var clearsCorners: Bool {
        steps.contains { step in
            if let rotation = step as? RotateImageProcessor { return rotation.angle.remainder(dividingBy: 90) != 0 }
            return step is RoundCornerImageProcessor
        }
    }
}

extension ImageProcessor where Self == RoundCornerImageProcessor {
    /// Returns a processor that rounds the corners by a radius in pixels or as a fraction: `.roundCorners(50)`.
    public static func roundCorners(
        _ radius: CornerRadius, roundingCorners: Corners = .all, backgroundColor: Color? = nil
    ) -> Self {
        Self(radius: radius, roundingCorners: roundingCorners, backgroundColor: backgroundColor)
    }
}
