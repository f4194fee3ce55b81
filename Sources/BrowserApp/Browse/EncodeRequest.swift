import BrowserCore
import Raster
import TerminalGraphics

/// Bytes that are wanted: of which picture, and of which of its looks.
struct EncodeRequest {
    enum Appearance {
        /// The picture as it stays.
        case still
        /// A frame of an animation.
        case frame(AnimationPlayback, Int)
        /// A step on the way from what stood there before.
        case step(Transition, from: PixelBuffer?, Int)
    }

    /// Who waits for it; nil when it is made ahead.
    let picture: PictureID?
    let pixels: PixelBuffer
    let appearance: Appearance
    let encoder: PictureEncoder
    let key: EncodedFrameKey
    /// Whether one frame follows the other, so that none should cut the one before short.
    let isMoving: Bool
    /// Whether people may come back to it.
    let isLasting: Bool

    /// `size` is what frames that pass are reduced to; where the terminal cannot stretch them it has no effect.
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
