import Foundation
import Raster

/// A reader that composes a GIF's frames on a canvas.
struct GIFFrameReader: FrameReading {
    private let file: GIFFile
    private let size: PixelSize
    private let limits: DecodeLimits
    /// The first fault of the frames that were drawn, or of the file.
    private(set) var damage: PictureDamage?
    private var canvas: PixelBuffer
    /// The canvas before the last frame was drawn, if that frame is to be restored to it.
    private var restored: PixelBuffer?
    /// The index of the frame that is drawn next.
    private var position = 0

    /// Creates a reader whose frames are scaled down to `size`.
    init(_ data: Data, size: PixelSize, limits: DecodeLimits) throws(CodecError) {
        self.init(try GIFFile(data, limits: limits), size: size, limits: limits)
    }

    init(_ file: GIFFile, size: PixelSize, limits: DecodeLimits) {
        self.file = file
        self.size = size
        self.limits = limits
        damage = file.damage
        canvas = PixelBuffer(size: file.canvas, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
    }

    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        if index < position - 1 { self = GIFFrameReader(file, size: size, limits: limits) }
        while position <= index {
            try draw(position)
            position += 1
        }
        return canvas.scaledDown(to: size)
    }

    private mutating func draw(_ index: Int) throws(CodecError) {
        let frame = file.frames[index]
        let pixels = frame.size.isEmpty ? nil : try decode(frame, index)
        if index > 0 { dispose(of: file.frames[index - 1]) }
        restored = frame.disposal == .restore ? canvas : nil
        if let pixels { canvas.draw(pixels, left: frame.left, top: frame.top) }
    }

    private mutating func dispose(of frame: GIFFile.Frame) {
        switch frame.disposal {
        case .keep: break
        case .clear: canvas.clear(left: frame.left, top: frame.top, size: frame.size)
        case .restore: if let restored { canvas = restored }
        }
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

extension PixelBuffer {
    /// Draws the pixels of a picture that are not fully transparent; parts outside are clipped.
    fileprivate mutating func draw(_ other: PixelBuffer, left: Int, top: Int) {
        let (width, height) = (min(other.size.width, size.width - left), min(other.size.height, size.height - top))
        guard width > 0, height > 0 else { return }
        let (stride, rowBytes) = (size.width * 4, other.size.width * 4)
        other.bytes.withUnsafeBytes { source in
            withMutableBytes { target in
                let target = UnsafeMutableRawBufferPointer(target)
                for y in 0..<height {
                    for x in 0..<width where source[y * rowBytes + x * 4 + 3] != 0 {
                        let pixel = source.loadUnaligned(fromByteOffset: y * rowBytes + x * 4, as: UInt32.self)
                        target.storeBytes(of: pixel, toByteOffset: (top + y) * stride + (left + x) * 4, as: UInt32.self)
                    }
                }
            }
        }
    }

    /// Makes a rectangle transparent; parts outside are clipped.
    mutating func clear(left: Int, top: Int, size part: PixelSize) {
        let (width, height) = (min(part.width, size.width - left), min(part.height, size.height - top))
        guard width > 0, height > 0 else { return }
        let stride = size.width * 4
        withMutableBytes { bytes in
            for y in top..<top + height {
                bytes[y * stride + left * 4..<y * stride + (left + width) * 4].update(repeating: 0)
            }
        }
    }
}
