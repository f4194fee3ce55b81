import Raster

/// Makes the corners round by clearing what lies outside a quarter circle, with smooth edges.
///
/// Coverage of a pixel is `clamp(radius − distance + 0.5, 0, 1)`, its centre's distance from the corner's centre.
public struct RoundCornerImageProcessor: ImageProcessor {
    /// How round a corner is; clamped to half the shorter side.
    public enum Radius: Sendable, Hashable {
        /// In pixels.
        case point(Double)
        /// A part of the picture's width or height, 0…1.
        case widthFraction(Double)
        case heightFraction(Double)
    }

    public let radius: Radius

    public init(radius: Radius) { self.radius = radius }

    public var identifier: String { "round(\(radius.text))" }

    public func process(_ image: Image) -> Image {
        var pixels = image.pixels
        let radius = radius.pixels(in: pixels.size)
        guard radius > 0 else { return image }
        let width = pixels.size.width
        let height = pixels.size.height
        let reach = Int(radius.rounded(.up))
        pixels.withMutableBytes { bytes in
            for y in 0..<reach {
                for x in 0..<reach {
                    let coverage = coverage(x: x, y: y, radius: radius)
                    guard coverage < 1 else { continue }
                    for row in Set([y, height - 1 - y]) {
                        for column in Set([x, width - 1 - x]) {
                            let offset = (row * width + column) * 4 + 3
                            bytes[offset] = UInt8((Double(bytes[offset]) * coverage).rounded())
                        }
                    }
                }
            }
        }
        return image.with(pixels)
    }

    private func coverage(x: Int, y: Int, radius: Double) -> Double {
        let horizontal = radius - Double(x) - 0.5
        let vertical = radius - Double(y) - 0.5
        guard horizontal > 0, vertical > 0 else { return 1 }
        let distance = (horizontal * horizontal + vertical * vertical).squareRoot()
        return min(max(radius - distance + 0.5, 0), 1)
    }
}

extension RoundCornerImageProcessor.Radius {
    fileprivate func pixels(in size: PixelSize) -> Double {
        let wanted =
            switch self {
            case .point(let value): value
            case .widthFraction(let fraction): fraction * Double(size.width)
            case .heightFraction(let fraction): fraction * Double(size.height)
            }
        return wanted.isFinite ? min(max(wanted, 0), Double(min(size.width, size.height)) / 2) : 0
    }

    var text: String {
        switch self {
        case .point(let value): "\(value)"
        case .widthFraction(let fraction): "\(fraction * 100)%w"
        case .heightFraction(let fraction): "\(fraction * 100)%h"
        }
    }
}
