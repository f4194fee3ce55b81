import Foundation
import Raster

/// Decodes an animation's frames, each drawn on the whole canvas.
///
/// Frames build on each other: the next one is cheap, an earlier one means to begin again.
protocol FrameReading {
    /// The frame, upright and in sRGB; `index` lies within the animation.
    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer
}

/// Frames that are decoded already.
struct PreloadedFrameReader: FrameReading {
    let frames: [PixelBuffer]

    func frame(at index: Int) throws(CodecError) -> PixelBuffer { frames[index] }
}

/// Opens an animation anew.
struct FrameReaderFactory: Sendable {
    let make: @Sendable () throws(CodecError) -> any FrameReading
}

extension FrameReaderFactory {
    /// The reader for the animation's format; frames are scaled down to fit `box`.
    init(_ animation: Animation, within box: PixelSize?, limits: DecodeLimits) {
        let target = box.flatMap { $0.isEmpty ? nil : animation.canvasSize.scaled(to: $0) } ?? animation.canvasSize
        self.init { () throws(CodecError) in
            if animation.frames.count == animation.frameCount, animation.frames.allSatisfy({ $0.size == target }) {
                return PreloadedFrameReader(frames: animation.frames)
            }
            switch animation.format {
            case .gif: return try GIFFrameReader(animation.file, size: target, limits: limits)
            case .webP: return try WebPFrameReader(animation, size: target)
            default: throw .processor(.decodingFailed(format: "animation", "neither GIF nor WebP"))
            }
        }
    }
}
