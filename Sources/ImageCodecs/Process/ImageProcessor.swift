import FoundationEssentials
import Raster

/// A step that transforms a picture; users can write their own processors.
///
/// Processors with equal identifiers must do equal work: requests are merged and results cached by identifier.
public protocol ImageProcessor: Sendable {
    /// The identifier, which contains every parameter in full precision and is stable across releases.
    ///
    /// It is empty for the processor that changes nothing. The identifiers of this module's processors are texts of
    /// `ProcessorGrammar`, except for `VipsImageProcessor`.
    var identifier: String { get }
    /// The single steps in order; the processor itself by default, empty for one that changes nothing.
    ///
    /// Chains that begin with the same identifiers begin with the same work.
    var steps: [any ImageProcessor] { get }
    /// The box that the decoder may scale to when this is the first step; nil, the default, requests all pixels.
    var decodeBox: PixelSize? { get }
    /// The page that the decoder reads when this is the first step, from 1; nil, the default, requests the first.
    var decodePage: Int? { get }
    /// Returns the processor with all lengths in pixels multiplied; by default the processor itself.
    func scaled(by factor: Double) -> any ImageProcessor
    /// Processes a picture.
    ///
    /// - Throws: `CodecError.processor`.
    func process(_ image: Image) throws(CodecError) -> Image
    /// Makes the picture from the bytes of the file if this is the first step; nil, the default, leaves the decoding
    /// to the decoder.
    var readsFiles: (@Sendable (_ file: Data) throws(CodecError) -> Image)? { get }
}

extension ImageProcessor {
    public var steps: [any ImageProcessor] { [self] }
    public var decodeBox: PixelSize? { nil }
    public var decodePage: Int? { nil }
    public var readsFiles: (@Sendable (_ file: Data) throws(CodecError) -> Image)? { nil }

    public func scaled(by factor: Double) -> any ImageProcessor { self }

    /// Checks that a result is not empty and not larger than the default decode limit.
    ///
    /// - Throws: `CodecError.processor(.processingFailed)`.
    func checkResult(_ size: PixelSize) throws(CodecError) {
        let limits = DecodeLimits.standard
        guard !size.isEmpty, size.area <= limits.pixels else {
            throw .processor(.processingFailed(identifier: identifier, "no picture may have \(size) pixels"))
        }
    }
}

extension PixelSize {
    /// Returns the size with both sides multiplied and rounded; a positive side stays at least 1.
    func multiplied(by factor: Double) -> PixelSize {
        func scaled(_ side: Int) -> Int {
            side <= 0 ? side : Int((Double(side) * factor).rounded().limited(to: 1...1e9))
        }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}

/// A chain of processors, each applied to the result of the previous one.
package struct ChainedImageProcessor: ImageProcessor {
    package let identifier: String
    package let steps: [any ImageProcessor]

    /// Creates a chain from the steps of all processors, in order; processors without steps are omitted.
    package init(_ processors: [any ImageProcessor]) {
        steps = processors.flatMap(\.steps)
        identifier = steps.map(\.identifier).joined(separator: "|>")
    }

    package var decodeBox: PixelSize? { (decodePage == nil ? steps[...] : steps.dropFirst()).first?.decodeBox }
    package var decodePage: Int? { steps.first?.decodePage }

    package func scaled(by factor: Double) -> any ImageProcessor {
        ChainedImageProcessor(steps.map { $0.scaled(by: factor) })
    }

    package func process(_ image: Image) throws(CodecError) -> Image {
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

/// A processor that changes nothing; `|>` omits it on either side.
public struct DefaultImageProcessor: ImageProcessor {
    /// Creates the processor that changes nothing.
    public init() {}
    public var identifier: String { "" }
    public var steps: [any ImageProcessor] { [] }
    public func process(_ image: Image) -> Image { image }
}
