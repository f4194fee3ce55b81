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
    /// Returns the processor with all lengths in pixels multiplied; by default the processor itself.
    func scaled(by factor: Double) -> any ImageProcessor
    /// Processes a picture.
    ///
    /// - Throws: `CodecError.processor`.
    func process(_ image: Image) throws(CodecError) -> Image
}

extension ImageProcessor {
    public var steps: [any ImageProcessor] { [self] }
    public var decodeBox: PixelSize? { nil }

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
