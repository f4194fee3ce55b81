import Raster

/// One step from picture to picture; the user's own processors conform to it.
///
/// Equal identifiers mean equal work: results are joined and cached by them.
public protocol ImageProcessor: Sendable {
    /// Stable over releases; holds every parameter.
    ///
    /// Empty for the processor that changes nothing.
    var identifier: String { get }
    /// The box that the decoder may scale into when this is the first step; nil asks for every pixel.
    var decodeBox: PixelSize? { get }
    /// Does the work; throws `ImageError.processor`.
    func process(_ image: Image) throws(ImageError) -> Image
}

extension ImageProcessor {
    public var decodeBox: PixelSize? { nil }
}

/// Changes nothing.
public struct DefaultImageProcessor: ImageProcessor {
    public init() {}
    public var identifier: String { "" }
    public func process(_ image: Image) -> Image { image }
}

/// Two processors, one after the other.
public struct ChainedImageProcessor: ImageProcessor {
    let first: any ImageProcessor
    let second: any ImageProcessor

    public var identifier: String { "\(first.identifier)|>\(second.identifier)" }
    public var decodeBox: PixelSize? { first.decodeBox }

    public func process(_ image: Image) throws(ImageError) -> Image {
        try second.process(try first.process(image))
    }
}

infix operator |> : AdditionPrecedence

/// Joins processors from left to right; the default processor is neutral on both sides.
public func |> (left: any ImageProcessor, right: any ImageProcessor) -> any ImageProcessor {
    if left.identifier.isEmpty { return right }
    if right.identifier.isEmpty { return left }
    return ChainedImageProcessor(first: left, second: right)
}
