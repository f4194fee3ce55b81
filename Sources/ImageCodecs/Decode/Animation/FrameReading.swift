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

/// A factory of readers for one animation.
struct FrameReaderFactory: Sendable {
    let make: @Sendable () throws(CodecError) -> any FrameReading
}

extension FrameReaderFactory {
    /// Creates a factory of readers for the animation's format.
    ///
    /// - Parameters:
    ///   - animation: The animation to read.
    ///   - box: The box that frames are scaled down to fit; nil or an empty box keeps their size.
    ///   - limits: The limits that the animation must keep to.
    init(_ animation: Animation, within box: PixelSize?, limits: DecodeLimits) {
        let target = box.flatMap { $0.isEmpty ? nil : animation.canvasSize.scaled(to: $0) } ?? animation.canvasSize
        self.init { () throws(CodecError) in
            if animation.frames.count == animation.frameCount, animation.frames.allSatisfy({ $0.size == target }) {
                return PreloadedFrameReader(frames: animation.frames)
            }
            if let sandbox = animation.sandbox {
                return try SandboxedFrameReader(animation, within: box, size: target, limits: limits, sandbox)
            }
            switch animation.format {
            case .gif: return try GIFFrameReader(animation.file, size: target, limits: limits)
            case .png: return try APNGFrameReader(animation.file, size: target, limits: limits)
            case .webP: return try WebPFrameReader(animation, size: target)
            case let format?:
                return try LibraryFrameReader(animation.file, format: format, target: target, limits: limits)
            case nil: throw .processor(.decodingFailed(format: "animation", "it has no animation"))
            }
        }
    }
}
