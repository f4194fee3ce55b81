import Raster

/// Processors one after the other, each on what the one before it made.
public struct ChainedImageProcessor: ImageProcessor {
    public let identifier: String
    public let steps: [any ImageProcessor]

    /// The steps of all, in order; those that change nothing are left out.
    public init(_ processors: [any ImageProcessor]) {
        steps = processors.flatMap(\.steps)
        identifier = steps.map(\.identifier).joined(separator: "|>")
    }

    public var decodeBox: PixelSize? { steps.first?.decodeBox }

    public func scaled(by factor: Double) -> any ImageProcessor {
        ChainedImageProcessor(steps.map { $0.scaled(by: factor) })
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        var result = image
        for step in steps { result = try step.process(result) }
        return result
    }
}

infix operator |> : AdditionPrecedence

/// Joins processors from left to right; their identifiers are joined by `|>`, the default processor is neutral.
public func |> (left: any ImageProcessor, right: any ImageProcessor) -> any ImageProcessor {
    if left.identifier.isEmpty { return right }
    if right.identifier.isEmpty { return left }
    return ChainedImageProcessor([left, right])
}
