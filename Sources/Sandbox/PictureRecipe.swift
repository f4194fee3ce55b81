import AlcedoImageCodecs
import FoundationEssentials
import Raster

/// A recipe for a new file: the processors for the picture, and the format of the result.
package struct PictureRecipe: Hashable, Sendable {
    /// The text of `ProcessorGrammar`, at most 1,000 bytes; an empty one changes nothing.
    package var chain: String
    /// One of the formats that `ImageEncoder` writes.
    package var format: ImageFormat
    /// The quality of JPEG and WebP, 1…100.
    package var quality: Int

    package init(chain: String, format: ImageFormat, quality: Int = ImageEncoder.standardQuality) {
        (self.chain, self.format, self.quality) = (chain, format, quality)
    }

    /// Decodes a file, processes it and encodes the result.
    ///
    /// - Returns: The new file; nil for an animation that stays one in the format.
    package func file(
        from data: Data, _ decoder: some ImageDecoding, limits: DecodeLimits
    ) throws(CodecError) -> Data? {
        let processor = try processor()
        var limits = limits
        limits.page = processor.decodePage ?? limits.page
        let image = try decoder.decode(
            data, within: processor.decodeBox, limits: limits, animation: AnimationLoading())
        if image.frameCount > 1, format != .jpeg { return nil }
        return try ImageEncoder.encode(try processor.process(image), as: format, quality: quality)
    }

    package func processor() throws(CodecError) -> any ImageProcessor {
        if chain.isEmpty { return DefaultImageProcessor() }
        do throws(ProcessorGrammar.Problem) { return try ProcessorGrammar.parse(chain) } catch {
            throw .processor(.processingFailed(identifier: "process", "\(error)"))
        }
    }
}

extension ImageDecoding {
    /// Makes a new file of a file; with ``SandboxedDecoder`` in one request of a helper process.
    ///
    /// - Returns: The new file; nil for an animation that stays one in the format.
    package func file(
        _ data: Data, by recipe: PictureRecipe, limits: DecodeLimits
    ) throws(CodecError) -> Data? {
        guard let sandboxed = self as? SandboxedDecoder else {
            return try recipe.file(from: data, self, limits: limits)
        }
        return try sandboxed.newFile(of: data, recipe, limits: limits)
    }
}
