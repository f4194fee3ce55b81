import FoundationEssentials
import Glibc
import Raster

/// A processor that rotates the picture clockwise about its centre.
///
/// The canvas grows to hold the rotated picture, and new corners are transparent. Quarter turns move pixels without
/// changing them. Any other angle θ gives a canvas of ⌈w·|cos θ| + h·|sin θ|⌉ × ⌈w·|sin θ| + h·|cos θ|⌉. The pixel with
/// its centre at (x, y), relative to the canvas centre, is sampled from the picture at (x·cos θ + y·sin θ, −x·sin θ +
/// y·cos θ), relative to the picture's centre: bilinear, on premultiplied colour, transparent outside.
public struct RotateImageProcessor: ImageProcessor {
    /// The angle in degrees, at least 0 and below 360.
    public let angle: Double

    /// Creates a rotation by an angle in degrees, reduced to 0 up to 360; an angle that is not finite becomes 0.
    public init(angle: Double) {
        let rest = angle.isFinite ? angle.truncatingRemainder(dividingBy: 360) : 0
        let turned = rest < 0 ? rest + 360 : rest
        // A tiny negative angle plus 360 is rounded to 360.
        self.angle = turned < 360 ? turned : 0
    }

    public var identifier: String { "rotate(\(NumberText.text(angle)))" }

    public func process(_ image: Image) throws(CodecError) -> Image {
        let (width, height) = (image.size.width, image.size.height)
        let turned = PixelSize(width: height, height: width)
        switch angle {
        case 0: return image
        case 90: return image.with(image.pixels.rearranged(to: turned) { ($1, height - 1 - $0) })
        case 180: return image.with(image.pixels.rearranged(to: image.size) { (width - 1 - $0, height - 1 - $1) })
        case 270: return image.with(image.pixels.rearranged(to: turned) { (width - 1 - $1, $0) })
        default: return image.with(try sampled(image.pixels))
        }
    }

    private func sampled(_ pixels: PixelBuffer) throws(CodecError) -> PixelBuffer {
        let radians = angle * .pi / 180
        let turn = SIMD2(cos(radians), sin(radians))
        let size = canvas(of: pixels.size, turn)
        try checkResult(size)
        let middle = SIMD2(Double(size.width), Double(size.height)) / 2
        let own = SIMD2(Double(pixels.size.width), Double(pixels.size.height)) / 2
        return PixelBuffer(size: size) { bytes in
            let memory = UnsafeMutableRawBufferPointer(bytes)
            pixels.bytes.withUnsafeBytes { source in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - middle
                        let from = SIMD2(
                            place.x * turn.x + place.y * turn.y, place.y * turn.x - place.x * turn.y)
                        let pixel = Self.sample(source, of: pixels.size, at: from + own - 0.5)
                        memory.store(pixel, at: (y * size.width + x) * 4)
                    }
                }
            }
        }
    }

    private func canvas(of size: PixelSize, _ turn: SIMD2<Double>) -> PixelSize {
        let (width, height) = (Double(size.width), Double(size.height))
        // The subtraction keeps rounding errors from enlarging the canvas by a pixel.
        return PixelSize(
            width: Int((width * abs(turn.x) + height * abs(turn.y) - 1e-9).rounded(.up)),
            height: Int((width * abs(turn.y) + height * abs(turn.x) - 1e-9).rounded(.up)))
    }

    private static func sample(
        _ source: UnsafeRawBufferPointer, of size: PixelSize, at place: SIMD2<Double>
    ) -> Pixel {
        let corner = place.rounded(.down)
        let rest = SIMD2<Float>(place - corner)
        let (x, y) = (Int(corner.x), Int(corner.y))
        let above = pixel(source, size, x, y) * (1 - rest.x) + pixel(source, size, x + 1, y) * rest.x
        let below = pixel(source, size, x, y + 1) * (1 - rest.x) + pixel(source, size, x + 1, y + 1) * rest.x
        return (above * (1 - rest.y) + below * rest.y).straight
    }

    private static func pixel(_ source: UnsafeRawBufferPointer, _ size: PixelSize, _ x: Int, _ y: Int) -> Pixel {
        guard x >= 0, y >= 0, x < size.width, y < size.height else { return .zero }
        return source.pixel(at: (y * size.width + x) * 4).premultiplied
    }
}

/// A processor that mirrors the picture: (x, y) becomes (width − 1 − x, y) or (x, height − 1 − y).
public struct FlipImageProcessor: ImageProcessor {
    /// The direction of mirroring.
    public enum Axis: String, Sendable, Hashable, CaseIterable {
        /// Swaps left and right.
        case horizontal
        /// Swaps top and bottom.
        case vertical
    }

    /// The direction of mirroring.
    public let axis: Axis

    /// Creates a processor for a direction.
    public init(_ axis: Axis) { self.axis = axis }

    public var identifier: String { "flip(\(axis.rawValue))" }

    public func process(_ image: Image) -> Image {
        let (right, bottom) = (image.size.width - 1, image.size.height - 1)
        switch axis {
        case .horizontal: return image.with(image.pixels.rearranged(to: image.size) { (right - $0, $1) })
        case .vertical: return image.with(image.pixels.rearranged(to: image.size) { ($0, bottom - $1) })
        }
    }
}
