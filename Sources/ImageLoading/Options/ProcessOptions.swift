/// What is done between bytes and picture.
public struct ProcessOptions: Sendable {
    /// `DefaultImageProcessor` by default: nothing.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// 100 MiB, 100 million pixels, 10,000 frames by default.
    public var limits = DecodeLimits.standard
    /// How many pixels one unit of the processor's lengths has; 1 by default, anything that is not positive is 1.
    ///
    /// Sizes, radii and widths are multiplied by it, so the same chain serves a screen of twice the density.
    public var scaleFactor = 1.0
    /// Makes `warm` decode every pixel, so that a damaged picture is found then; off by default.
    ///
    /// What is loaded to be shown is always decoded whole, and never on the main actor.
    public var backgroundDecode = false
    /// How much of an animation is decoded: each frame when its time is near, by default.
    ///
    /// Only the first frame wins over all of them.
    public var animation = AnimationLoading()
    /// Shows a progressive JPEG while its bytes arrive; nil, off, by default.
    ///
    /// Such pictures come as `LoadEvent.partial`, processed as the whole will be; no cache keeps one.
    public var progressiveJPEG: ImageProgressive?
    /// Where pictures are decoded and processed; shared, as wide as there are cores, by default.
    public var queue = ProcessingQueue.shared

    public init() {}

    /// The processor at the scale that is asked for.
    var scaledProcessor: any ImageProcessor {
        guard scaleFactor.isFinite, scaleFactor > 0, scaleFactor != 1 else { return processor }
        return processor.scaled(by: scaleFactor)
    }
}
