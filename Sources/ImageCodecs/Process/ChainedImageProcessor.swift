import Raster

/// A chain of processors, each applied to the result of the previous one.
public struct ChainedImageProcessor: ImageProcessor {
    public let identifier: String
    public let steps: [any ImageProcessor]

    /// Creates a chain from the steps of all processors, in order; processors without steps are omitted.
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

/// Chains two processors; the identifiers are joined by `|>`, and a default processor is omitted.
public func |> (left: any ImageProcessor, right: any ImageProcessor) -> any ImageProcessor {
    if left.identifier.isEmpty { return right }
    if right.identifier.isEmpty { return left }
    return ChainedImageProcessor([left, right])
}
