import BrowserCore
import Raster
import TerminalGraphics

/// A request to encode one appearance of a picture.
struct FrameWish {
    enum Look {
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
    let look: Look
    let encoder: PictureEncoder
    let key: EncodedFrameKey
    /// Whether the frame belongs to a sequence, in which no frame should interrupt the one before.
    let isMoving: Bool
    /// Whether users may return to it.
    let isLasting: Bool

    /// - Parameter size: The size to which passing frames are reduced; ignored if the terminal cannot stretch them.
    init(
        _ picture: PictureID?, _ held: HeldPicture, _ look: Look, reducedTo size: PixelSize, encoder: PictureEncoder
    ) {
        self.picture = picture
        self.look = look
        self.encoder = encoder
        pixels = held.pixels
        if case .still = look { isMoving = held.role == .standIn } else { isMoving = true }
        key = Self.key(held, look, encoder.canStretch ? size : held.pixels.size, encoder)
        isLasting =
            switch look {
            case .still: !held.isPartial
            case .frame(_, let index): index == 0
            case .step: false
            }
    }

    var isStill: Bool { if case .still = look { true } else { false } }

    var isStep: Bool { if case .step = look { true } else { false } }

    private static func key(
        _ held: HeldPicture, _ look: Look, _ reduced: PixelSize, _ encoder: PictureEncoder
    ) -> EncodedFrameKey {
        switch look {
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
