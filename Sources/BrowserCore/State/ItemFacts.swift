import Raster

/// The facts about an item's picture; what is not known is nil.
package struct ItemFacts: Hashable, Sendable {
    package var format: ImageFormat?
    package var size: PixelSize?
    package var frames: Int?
    /// The result of the check of the pixels, a word.
    package var verdict: String?
    /// The colour model: `RGB`.
    package var color: String?
    package var hasAlpha: Bool?
    /// The perceptual hash.
    package var hash: UInt64?
    /// The first eight bytes of the SHA-256.
    package var digest: UInt64?
    /// Whether the name or the media type says another format.
    package var isMismatched = false

    package init() {}
}
