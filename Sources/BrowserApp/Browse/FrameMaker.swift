import BrowserCore
import Raster
import TerminalGraphics

/// Encodes frames on request.
@MainActor
final class FrameMaker {
    /// The ends of the last transition; all its frames share one palette, which prevents flicker.
    private var ends: TransitionEnds?
    private var stepPalette: Palette?

    /// The inputs that determine a transition's palette.
    private struct TransitionEnds: Equatable {
        let old: PixelBuffer?
        let new: String
        let encoder: PictureEncoder
    }

    /// Encodes a frame; returns nil if it cannot be decoded.
    func make(_ wish: FrameWish) async -> EncodedPicture? {
        switch wish.look {
        case .still: await wish.encoder.encode(wish.pixels, quality: wish.key.quality)
        case .frame(let playback, let index): await frame(index, of: playback, wish)
        case .step(let transition, let old, let step): await self.step(step, of: transition, from: old, wish)
        }
    }

    private func frame(_ index: Int, of playback: AnimationPlayback, _ wish: FrameWish) async -> EncodedPicture? {
        let first = index == 0 ? wish.pixels : nil
        var pixels = first
        if pixels == nil { pixels = await playback.pixels(of: index) }
        guard let pixels else { return nil }
        let palette = await playback.palette(of: index, pixels, wish.encoder)
        return await wish.encoder.encodeFrame(pixels, reducedTo: wish.key.size, palette: palette)
    }

    private func step(
        _ step: Int, of transition: Transition, from old: PixelBuffer?, _ wish: FrameWish
    ) async -> EncodedPicture {
        let palette = await sharedPalette(from: old, wish)
        let frame = await Self.frame(
            transition, from: old, to: wish.pixels, step: step, background: wish.encoder.background)
        return await wish.encoder.encodeFrame(frame, reducedTo: wish.key.size, palette: palette)
    }

    private func sharedPalette(from old: PixelBuffer?, _ wish: FrameWish) async -> Palette? {
        let found = TransitionEnds(old: old, new: wish.key.image, encoder: wish.encoder)
        if found == ends { return stepPalette }
        let ground = PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: wish.encoder.background)
        let palette = await wish.encoder.palette(for: [old ?? ground, wish.pixels])
        (ends, stepPalette) = (found, palette)
        return palette
    }

    @concurrent
    private static func frame(
        _ transition: Transition, from old: PixelBuffer?, to new: PixelBuffer, step: Int, background: Color
    ) async -> PixelBuffer {
        transition.frame(
            from: old, to: new, progress: Double(step) / Double(PicturePlacement.finished), background: background)
    }
}
