import Raster

/// A check of original bytes before they are stored on disk.
public enum OriginalCheck: String, Sendable, CaseIterable {
    /// Each picture is decoded, in a small size where its format allows that, so that damaged pixels are found.
    case decode
    /// Only the header and the end of the file are checked.
    case framing
}

/// Options for decoding and processing.
public struct ProcessOptions: Sendable {
    /// The processor; `DefaultImageProcessor`, which changes nothing, by default.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// The decoding limits; 100 MiB, 100 million pixels and 10,000 frames by default.
    public var limits = DecodeLimits.standard
    /// The number of pixels per unit of the processor's lengths; 1 by default, and for values that are not positive.
    ///
    /// Sizes, radii and widths are multiplied by it, so that the same chain works for a screen of twice the density.
    public var scaleFactor = 1.0
    /// Whether `warm` decodes every pixel, so that damaged images are found; false by default.
    ///
    /// Images that are loaded for display are always decoded completely, and never on the main actor.
    public var backgroundDecode = false
    /// The check of original bytes before they are stored on disk; of the framing only by default.
    public var originalCheck = OriginalCheck.framing
    /// Whether the facts of a checked picture have its thumbnail; false by default.
    package var keepsThumbnail = false
    /// Whether original bytes with missing or wrong pixels are stored on disk; false by default.
    public var storesDamaged = false
    /// The formats of originals that are downloaded and stored; all by default, nil for any content, also of files that
    /// are no pictures.
    public var acceptedFormats: Set<ImageFormat>? = Set(ImageFormat.allCases)
    /// The decoding of animations; by default each frame is decoded shortly before it is shown.
    ///
    /// `onlyFirstFrame` overrides `preloadsAllFrames`.
    public var animation = AnimationLoading()
    /// The display of a progressive JPEG while its bytes arrive; nil, the default, turns it off.
    ///
    /// Partial images are sent as `LoadEvent.partial`, processed like the complete image; no cache stores them.
    public var progressiveJPEG: ImageProgressive?
    /// The queue for decoding and processing; a shared one, as wide as the number of cores, by default.
    public var queue = ProcessingQueue.shared

    public init() {}

    /// The processor at the scale factor.
    var scaledProcessor: any ImageProcessor {
        guard scaleFactor.isFinite, scaleFactor > 0, scaleFactor != 1 else { return processor }
        return processor.scaled(by: scaleFactor)
    }
}
