import AlcedoImageCodecs
import Foundation
import Raster

// Lengths are in points: the scale factor of the options says how many pixels a point has.

/// A corner radius: points, or a fraction of the width or height.
public typealias Radius = CornerRadius
/// A set of corners.
public typealias RectCorner = Corners
/// A blend mode.
public typealias CGBlendMode = BlendMode
/// A processor that changes nothing.
public typealias DefaultImageProcessor = AlcedoImageCodecs.DefaultImageProcessor
/// A processor that blurs.
public typealias BlurImageProcessor = AlcedoImageCodecs.BlurImageProcessor
/// A processor that lays a colour over the image; a fraction of 0 hides the image.
public typealias OverlayImageProcessor = AlcedoImageCodecs.OverlayImageProcessor
/// A processor that tints the image.
public typealias TintImageProcessor = AlcedoImageCodecs.TintImageProcessor
/// A processor that adjusts brightness, contrast, saturation and exposure.
public typealias ColorControlsProcessor = AlcedoImageCodecs.ColorControlsProcessor
/// A processor that removes the colours.
public typealias BlackWhiteProcessor = AlcedoImageCodecs.BlackWhiteProcessor
/// A processor that blends the image with a background.
public typealias BlendImageProcessor = AlcedoImageCodecs.BlendImageProcessor
/// A processor that draws a border.
public typealias BorderImageProcessor = AlcedoImageCodecs.BorderImageProcessor

extension AlcedoImageCodecs.DefaultImageProcessor: LibraryImageProcessor {
    /// The processor.
    public static let `default` = DefaultImageProcessor()
}
extension AlcedoImageCodecs.BlurImageProcessor: LibraryImageProcessor {}
extension AlcedoImageCodecs.OverlayImageProcessor: LibraryImageProcessor {
    /// The colour.
    public var overlay: Color { color }
}
extension AlcedoImageCodecs.TintImageProcessor: LibraryImageProcessor {
    /// The colour.
    public var tint: Color { color }
}
extension AlcedoImageCodecs.ColorControlsProcessor: LibraryImageProcessor {}
extension AlcedoImageCodecs.BlackWhiteProcessor: LibraryImageProcessor {}

extension AlcedoImageCodecs.BlendImageProcessor: LibraryImageProcessor {
    /// Creates a processor with a background.
    public init(blendMode: CGBlendMode, alpha: CGFloat = 1, backgroundColor: Color?) {
        self.init(blendMode: blendMode, alpha: Double(alpha), background: backgroundColor)
    }
}

extension AlcedoImageCodecs.BorderImageProcessor: LibraryImageProcessor {
    /// Creates a processor that draws the border.
    public init(border: Border) {
        self.init(
            color: border.color, lineWidth: Double(border.lineWidth), radius: border.radius,
            corners: border.roundingCorners)
    }
}

/// The look of a border.
public struct Border: Sendable {
    /// The colour; black by default.
    public var color: Color
    /// The width; 4 by default.
    public var lineWidth: CGFloat
    /// The corner radius; 0 by default.
    public var radius: Radius
    /// The rounded corners; all by default.
    public var roundingCorners: RectCorner

    /// Creates a border.
    public init(
        color: Color = .black, lineWidth: CGFloat = 4, radius: Radius = .point(0), roundingCorners: RectCorner = .all
    ) {
        (self.color, self.lineWidth, self.radius, self.roundingCorners) = (color, lineWidth, radius, roundingCorners)
    }
}

/// The way in which an image fits a size.
public enum ContentMode: Sendable {
    /// Exactly the size.
    case none
    /// The largest size inside.
    case aspectFit
    /// The smallest size that covers it.
    case aspectFill

    var fitMode: FitMode {
        switch self {
        case .none: .stretch
        case .aspectFit: .fit
        case .aspectFill: .fill
        }
    }
}

/// The same as `BlendImageProcessor`, by the name for AppKit.
public struct CompositingImageProcessor: LibraryImageProcessor {
    /// The library's processor.
    public let base: any AlcedoImageCodecs.ImageProcessor

    /// Creates a processor.
    public init(compositingOperation: CGBlendMode, alpha: CGFloat = 1, backgroundColor: Color? = nil) {
        base = BlendImageProcessor(blendMode: compositingOperation, alpha: alpha, backgroundColor: backgroundColor)
    }
}

/// A processor that rounds corners.
public struct RoundCornerImageProcessor: LibraryImageProcessor {
    /// The radius in points or as a fraction.
    public let radius: Radius
    /// The size that the image is stretched to before; nil keeps its own.
    public let targetSize: CGSize?
    /// The rounded corners.
    public let roundingCorners: RectCorner
    /// The colour behind the image; nil is transparent.
    public let backgroundColor: Color?

    /// Creates a processor with a radius in points.
    public init(
        cornerRadius: CGFloat, targetSize: CGSize? = nil, roundingCorners: RectCorner = .all,
        backgroundColor: Color? = nil
    ) {
        self.init(
            radius: .point(Double(cornerRadius)), targetSize: targetSize, roundingCorners: roundingCorners,
            backgroundColor: backgroundColor)
    }

    /// Creates a processor with a radius in points or as a fraction.
    public init(
        radius: Radius, targetSize: CGSize? = nil, roundingCorners: RectCorner = .all, backgroundColor: Color? = nil
    ) {
        (self.radius, self.targetSize) = (radius, targetSize)
        (self.roundingCorners, self.backgroundColor) = (roundingCorners, backgroundColor)
    }

    /// The library's processor.
    public var base: any AlcedoImageCodecs.ImageProcessor {
        AlcedoImageCodecs.RoundCornerImageProcessor(
            radius: radius, targetSize: targetSize.map(PixelSize.init), roundingCorners: roundingCorners,
            backgroundColor: backgroundColor)
    }
}

/// A processor that scales to a size.
public struct ResizingImageProcessor: LibraryImageProcessor {
    /// The size.
    public let referenceSize: CGSize
    /// The way in which the image fits it.
    public let targetContentMode: ContentMode
    /// The library's processor.
    public let base: any AlcedoImageCodecs.ImageProcessor

    /// Creates a processor; by default the image is stretched.
    public init(referenceSize: CGSize, mode: ContentMode = .none) {
        (self.referenceSize, targetContentMode) = (referenceSize, mode)
        base = AlcedoImageCodecs.ResizingImageProcessor(referenceSize: PixelSize(referenceSize), mode: mode.fitMode)
    }
}

/// A processor that decodes a smaller image: its longer side is at most the size's longer side.
public struct DownsamplingImageProcessor: LibraryImageProcessor {
    /// The size.
    public let size: CGSize
    /// The library's processor.
    public let base: any AlcedoImageCodecs.ImageProcessor

    /// Creates a processor.
    public init(size: CGSize) {
        self.size = size
        let side = max(size.width, size.height)
        base = AlcedoImageCodecs.DownsamplingImageProcessor(size: PixelSize(CGSize(width: side, height: side)))
    }
}

/// A processor that crops.
public struct CroppingImageProcessor: LibraryImageProcessor {
    /// The size.
    public let size: CGSize
    /// The point of the image that stays, 0…1; the centre by default.
    public let anchor: CGPoint
    /// The library's processor.
    public let base: any AlcedoImageCodecs.ImageProcessor

    /// Creates a processor.
    public init(size: CGSize, anchor: CGPoint = CGPoint(x: 0.5, y: 0.5)) {
        (self.size, self.anchor) = (size, anchor)
        base = AlcedoImageCodecs.CroppingImageProcessor(
            size: PixelSize(size), anchor: .init(x: Double(anchor.x), y: Double(anchor.y)))
    }
}

extension Radius {
    /// Returns the radius for an image of a size.
    public func compute(with size: CGSize) -> CGFloat {
        switch self {
        case .point(let points): CGFloat(points)
        case .widthFraction(let part): size.width * CGFloat(part)
        case .heightFraction(let part): size.height * CGFloat(part)
        }
    }
}

extension PixelSize {
    /// Creates the nearest size in whole pixels.
    init(_ size: CGSize) {
        func side(_ length: CGFloat) -> Int { length.isNaN ? 0 : Int(min(max(length, 0), 1e6).rounded()) }
        self.init(width: side(size.width), height: side(size.height))
    }
}
