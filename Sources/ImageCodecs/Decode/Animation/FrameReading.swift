import Foundation
import Raster

/// A decoder of an animation's frames, each drawn on the whole canvas.
///
/// Frames depend on earlier frames: reading the next frame is cheap, reading an earlier one restarts at the first.
protocol FrameReading {
    /// Returns a frame, upright and in sRGB; `index` must lie within the animation.
    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer
}

/// A reader of frames that are already decoded.
struct PreloadedFrameReader: FrameReading {
    let frames: [PixelBuffer]

    func frame(at index: Int) throws(CodecError) -> PixelBuffer { frames[index] }
}

extension Animation {
    /// Creates a reader of the frames, by the format of the file.
    ///
    /// - Parameters:
    ///   - box: The box that frames are scaled down to fit; nil or an empty box keeps their size.
    ///   - limits: The limits that the animation must keep to.
    func frameReader(within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> any FrameReading {
        let target = canvasSize.fitted(into: box)
        if frames.count == frameCount, frames.allSatisfy({ $0.size == target }) {
            return PreloadedFrameReader(frames: frames)
        }
        if let sandbox {
            return try SandboxedFrameReader(self, within: box, size: target, limits: limits, sandbox)
        }
        switch format {
        case .gif: return try GIFFrameReader(file, size: target, limits: limits)
        case .png: return try APNGFrameReader(file, size: target, limits: limits)
        case .webP: return try WebPFrameReader(self, size: target)
        case let format?: return try LibraryFrameReader(file, format: format, target: target, limits: limits)
        case nil: throw .processor(.decodingFailed(format: "animation", "it has no animation"))
        }
    }
}
