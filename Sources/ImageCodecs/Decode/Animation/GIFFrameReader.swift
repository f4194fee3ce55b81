import Foundation
import Raster

/// A reader that composes a GIF's frames on a canvas.
struct GIFFrameReader: FrameReading {
    private let file: GIFFile
    private let size: PixelSize
    private let limits: DecodeLimits
    /// The first fault of the frames that were drawn, or of the file.
    private(set) var damage: PictureDamage?
    private var canvas: FrameCanvas

    /// Creates a reader whose frames are scaled down to `size`.
    init(_ data: Data, size: PixelSize, limits: DecodeLimits) throws(CodecError) {
        file = try GIFFile(data, limits: limits)
        self.size = size
        self.limits = limits
        damage = file.damage
        canvas = FrameCanvas(size: file.canvas)
    }

    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        if index < canvas.count - 1 { canvas = FrameCanvas(size: file.canvas) }
        while canvas.count <= index {
            let frame = file.frames[canvas.count]
            let pixels = frame.size.isEmpty ? nil : try decode(frame, canvas.count)
            canvas.draw(pixels, of: frame)
        }
        return canvas.pixels.scaledDown(to: size)
    }

    private mutating func decode(_ frame: GIFFile.Frame, _ index: Int) throws(CodecError) -> PixelBuffer {
        InProcessDecoding.check()
        let decoded = file.pixels(of: frame)
        let found = decoded.damage.map { $0.in(frame: index, of: file.frames.count) }
        try limits.check(found, of: .gif)
        damage = damage ?? found
        return decoded.pixels
    }
}

extension PictureDamage {
    /// Returns the damage with the number of the frame, if there are several.
    fileprivate func `in`(frame index: Int, of count: Int) -> PictureDamage {
        guard count > 1 else { return self }
        return switch self {
        case .missingEnd: self
        case .incomplete(let reason): .incomplete("frame \(index + 1): \(reason)")
        case .corrupt(let reason): .corrupt("frame \(index + 1): \(reason)")
        }
    }
}
