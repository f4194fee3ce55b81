/// A width and a height in pixels, both at least 0.
public struct PixelSize: Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size; negative sides become 0.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (max(0, width), max(0, height))
    }

    /// A size without pixels.
    public static let zero = PixelSize(width: 0, height: 0)

    /// The product of width and height, saturating at `Int.max`.
    public var area: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// Whether a side is 0.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// Returns the size scaled to `box`; sides are rounded, and at least 1 unless either size is empty.
    ///
    /// `.fit` and `.fill` keep the aspect ratio. Without `upscale` (the default) the result is not larger than `self`.
    public func scaled(to box: PixelSize, mode: FitMode = .fit, upscale: Bool = false) -> PixelSize {
        guard !isEmpty, !box.isEmpty else { return .zero }
        let horizontal = Double(box.width) / Double(width)
        let vertical = Double(box.height) / Double(height)
        switch mode {
        case .stretch: return box
        case .fit: return scaled(by: limited(min(horizontal, vertical), upscale: upscale))
        case .fill: return scaled(by: limited(max(horizontal, vertical), upscale: upscale))
        }
    }

    /// Returns the size scaled down to fit a box; nil or an empty box keeps the size.
    package func fitted(into box: PixelSize?) -> PixelSize {
        guard let box, !box.isEmpty else { return self }
        return scaled(to: box)
    }

    private func limited(_ factor: Double, upscale: Bool) -> Double { upscale ? factor : min(factor, 1) }

    private func scaled(by factor: Double) -> PixelSize {
        PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded())))
    }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width)×\(height)" }
}

/// The way a picture is scaled to a box.
public enum FitMode: String, Hashable, Sendable, CaseIterable {
    /// The largest size inside the box, aspect ratio kept.
    case fit
    /// The smallest size that covers the box, aspect ratio kept, nothing cropped.
    case fill
    /// Exactly the box, aspect ratio ignored.
    case stretch
}
