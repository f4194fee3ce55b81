import BrowserCore
import Raster
import TerminalGraphics

/// A request to encode one appearance of a picture.
struct EncodeRequest {
    enum Appearance {
        /// The picture at rest.
        case still
        /// A frame of an animation.
        case frame(AnimationPlayback, Int)
        /// A step of a transition from the picture before.
        case step(Transition, from: PixelBuffer?, Int)
    }

    /// The picture that waits for the result; nil if it is encoded ahead of time.
    let picture: PictureID?
    let pixels: PixelBuffer
    let appearance: Appearance
    let encoder: PictureEncoder
    let key: EncodedFrameKey
    /// Whether the frame belongs to a sequence, in which no frame should interrupt the one before.
    let isMoving: Bool
    /// Whether users may return to it.
    let isLasting: Bool

    /// - Parameter size: The size to which passing frames are reduced; ignored if the terminal cannot stretch them.
    init(
        _ picture: PictureID?, _ held: HeldPicture, _ appearance: Appearance, reducedTo size: PixelSize,
        encoder: PictureEncoder
    ) {
        self.picture = picture
        self.appearance = appearance
        self.encoder = encoder
        pixels = held.pixels
        if case .still = appearance { isMoving = held.role == .placeholder } else { isMoving = true }
        key = Self.key(held, appearance, encoder.canStretch ? size : held.pixels.size, encoder)
        isLasting =
            switch appearance {
            case .still: !held.isPartial
            case .frame(_, let index): index == 0
            case .step: false
            }
    }

    var isStill: Bool { if case .still = appearance { true } else { false } }

    var isStep: Bool { if case .step = appearance { true } else { false } }

    private static func key(
        _ held: HeldPicture, _ appearance: Appearance, _ reduced: PixelSize, _ encoder: PictureEncoder
    ) -> EncodedFrameKey {
        switch appearance {
        case .still:
            EncodedFrameKey(
                image: held.key, size: held.pixels.size, encoder: encoder, quality: held.isPartial ? .fast : .best)
        case .frame(_, let index):
            EncodedFrameKey(image: held.key, frame: index, size: reduced, encoder: encoder, quality: .fast)
        case .step(_, _, let step):
            EncodedFrameKey(
                image: held.key, processors: "transition", frame: step, size: reduced, encoder: encoder, quality: .fast)
        }
    }
}
