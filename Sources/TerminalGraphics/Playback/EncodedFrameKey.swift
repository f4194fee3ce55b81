import Raster

/// What decides the bytes of an encoded picture, so that equal keys have equal bytes.
public struct EncodedFrameKey: Hashable, Sendable {
    /// The cache key of the image.
    public let image: String
    /// The identifier of the processors it went through; empty for none.
    public let processors: String
    /// The frame of an animation or the step of a transition; 0 for a picture that stands still.
    public let frame: Int
    /// The size of the pixels given to the encoder.
    public let size: PixelSize
    /// The protocol with its registers and limits, the background and the cell.
    public let encoder: PictureEncoder
    /// How much care its colours got.
    public let quality: Quality

    public init(
        image: String, processors: String = "", frame: Int = 0, size: PixelSize, encoder: PictureEncoder,
        quality: Quality = .best
    ) {
        self.image = image
        self.processors = processors
        self.frame = frame
        self.size = size
        self.encoder = encoder
        self.quality = quality
    }
}
