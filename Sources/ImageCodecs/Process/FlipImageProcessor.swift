import Raster

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
