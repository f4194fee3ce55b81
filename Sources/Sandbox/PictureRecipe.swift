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
    /// Whether a helper takes the chain.
    var isShort: Bool { chain.utf8.count <= 1000 }

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
        let image = try decoder.decode(
            data, within: processor.decodeBox, limits: limits.preparing(processor), animation: AnimationLoading())
        if image.frameCount > 1, format != .jpeg { return nil }
        return try ImageEncoder.encode(try processor.process(image), as: format, quality: quality)
    }

    /// Checks a file, and makes the new one if one decode does both; a file that is refused makes none.
    package func facts(
        of data: Data, _ decoder: CodecDecoder, limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        guard let processor = try? processor(), processor.decodePage == nil,
            var (facts, image) = decoder.checkedPicture(
                of: data, within: processor.decodeBox, limits: limits.preparing(processor))
        else { return try decoder.facts(of: data, .pixels, limits: limits) }
        if (try? limits.check(image.damage, of: .jpeg)) != nil {
            // A chain that fails says why when the file is made by itself.
            facts.newFile = try? ImageEncoder.encode(try processor.process(image), as: format, quality: quality)
        }
        return facts
    }

    package func processor() throws(CodecError) -> any ImageProcessor {
        if chain.isEmpty { return DefaultImageProcessor() }
        do throws(ProcessorGrammar.Problem) { return try ProcessorGrammar.parse(chain) } catch {
            throw .processor(.processingFailed(identifier: "process", "\(error)"))
        }
    }
}

extension ImageDecoding {
    /// Checks all pixels of a file as `facts` does, and makes a new file of a picture that needs to be decoded only once
    /// for both.
    package func facts(
        of data: Data, making recipe: PictureRecipe, limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        if let sandboxed = self as? SandboxedDecoder { return try sandboxed.facts(of: data, .pixels, recipe, limits) }
        guard let decoder = self as? CodecDecoder else { return try facts(of: data, .pixels, limits: limits) }
        return try recipe.facts(of: data, decoder, limits: limits)
    }

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
