import Foundation
import Raster

/// A reader that composes an animated PNG's frames on a canvas.
///
/// Each frame is decoded as a still PNG of its own, by the decoders of still pictures.
struct APNGFrameReader: FrameReading {
    private let file: APNGFile
    private let size: PixelSize
    private var canvas: FrameCanvas

    /// Creates a reader whose frames are scaled down to the upright size `size`.
    init(_ data: Data, size: PixelSize, limits: DecodeLimits) throws(CodecError) {
        guard let file = try APNGFile(data, limits: limits) else { throw APNGFile.damaged("its animation is invalid") }
        self.file = file
        self.size = size
        canvas = FrameCanvas(size: file.canvas)
    }

    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        if index < canvas.count - 1 { canvas = FrameCanvas(size: file.canvas) }
        while canvas.count <= index {
            let frame = file.frames[canvas.count]
            let pixels = try decode(frame, canvas.count)
            canvas.draw(pixels, of: frame)
        }
        return file.orientation.upright(canvas.pixels.scaledDown(to: file.orientation.upright(size)))
    }

    private func decode(_ frame: APNGFile.Frame, _ index: Int) throws(CodecError) -> PixelBuffer {
        guard let still = file.still(of: frame) else {
            throw APNGFile.damaged("frame \(index + 1): the checksum of its pixels is wrong")
        }
        if let pixels = still.withUnsafeBytes({ PNGCodec($0)?.pixels(scaledTo: frame.size) }) { return pixels.pixels }
        do {
            return try VipsFile(still, format: .png).pngPicture(of: frame.size, within: nil)
        } catch {
            guard case .processor(.decodingFailed(_, let reason)) = error else { throw error }
            throw APNGFile.damaged("frame \(index + 1): \(reason)")
        }
    }
}
