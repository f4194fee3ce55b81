import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

extension PictureIndicator {
    /// The largest number of frames that an indicator keeps.
    private static let frameLimit = 120

    /// Creates an indicator from an image file: a still picture, or an animation such as a GIF.
    ///
    /// Every frame is shown for the first frame's delay. Frames after the first 120 are left out.
    /// - Parameters:
    ///   - data: The complete file.
    ///   - box: The box in pixels that the frames are scaled down to fit; nil, the default, keeps their size.
    ///   - decoder: The decoder; by default of JPEG, PNG, GIF and WebP.
    /// - Throws: `CodecError` for a file that is no image, too large or damaged.
    @concurrent
    public init(
        imageData data: Data, within box: PixelSize? = nil, decoder: any ImageDecoding = CodecDecoder(),
        limits: DecodeLimits = .standard
    ) async throws(CodecError) {
        let image = try decoder.decode(data, within: box, limits: limits, animation: AnimationLoading())
        guard let animation = image.animation, let delay = animation.delays.first else {
            self.init(image.pixels)
            return
        }
        let source = AnimationFrames(animation, within: box, limits: limits)
        var frames: [PixelBuffer] = []
        for index in 0..<min(source.count, Self.frameLimit) { frames.append(try await source.frame(at: index)) }
        self.init(frames: frames, interval: delay)
    }
}
