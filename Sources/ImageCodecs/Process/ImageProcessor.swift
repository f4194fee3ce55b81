import Raster

/// One step from picture to picture; the user's own processors conform to it.
///
/// Equal identifiers mean equal work: results are joined and cached by them.
public protocol ImageProcessor: Sendable {
    /// Stable over releases; tells every parameter, numbers and colours in full precision.
    ///
    /// Empty for the processor that changes nothing. Those of this library are texts of `ProcessorGrammar`.
    var identifier: String { get }
    /// The single steps, first to last; none for the processor that changes nothing, itself by default.
    ///
    /// Chains that begin with the same identifiers begin with the same work.
    var steps: [any ImageProcessor] { get }
    /// The box that the decoder may scale into when this is the first step; nil asks for every pixel.
    var decodeBox: PixelSize? { get }
    /// The same work with every length in pixels multiplied; itself by default, for processors without lengths.
    func scaled(by factor: Double) -> any ImageProcessor
    /// Does the work; throws `CodecError.processor`.
    func process(_ image: Image) throws(CodecError) -> Image
}

extension ImageProcessor {
    public var steps: [any ImageProcessor] { [self] }
    public var decodeBox: PixelSize? { nil }

    public func scaled(by factor: Double) -> any ImageProcessor { self }

    /// What is too large to decode is too large to make.
    func checkResult(_ size: PixelSize) throws(CodecError) {
        let limits = DecodeLimits.standard
        guard !size.isEmpty, size.area <= limits.pixels else {
            throw .processor(.processingFailed(identifier: identifier, "no picture may have \(size) pixels"))
        }
    }
}

extension PixelSize {
    /// Both sides multiplied and rounded, at least 1 where they were.
    func multiplied(by factor: Double) -> PixelSize {
        func scaled(_ side: Int) -> Int {
            side <= 0 ? side : Int((Double(side) * factor).rounded().limited(to: 1...1e9))
        }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}
