import Foundation
import Raster

/// A reader that composes an animated PNG's frames on a canvas.
///
/// Each frame is decoded as a still PNG of its own, by the decoders of still pictures.
struct APNGFrameReader: FrameReading {
    private let file: APNGFile
    private let size: PixelSize
    private var canvas: PixelBuffer
    /// The canvas before the last frame was drawn, if that frame is to be restored to it.
    private var restored: PixelBuffer?
    /// The index of the frame that is drawn next.
    private var position = 0

    /// Creates a reader whose frames are scaled down to the upright size `size`.
    init(_ data: Data, size: PixelSize, limits: DecodeLimits) throws(CodecError) {
        guard let file = try APNGFile(data, limits: limits) else { throw APNGFile.damaged("its animation is invalid") }
        self.init(file, size: size)
    }

    private init(_ file: APNGFile, size: PixelSize) {
        self.file = file
        self.size = size
        canvas = PixelBuffer(size: file.canvas, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
    }

    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        if index < position - 1 { self = APNGFrameReader(file, size: size) }
        while position <= index {
            try draw(position)
            position += 1
        }
        return file.orientation.upright(canvas.scaledDown(to: file.orientation.upright(size)))
    }

    private mutating func draw(_ index: Int) throws(CodecError) {
        let frame = file.frames[index]
        let pixels = try decode(frame, index)
        if index > 0 { dispose(of: file.frames[index - 1]) }
        // Before the first frame the canvas is transparent, so restoring it equals clearing it.
        restored = frame.disposal == .restore ? canvas : nil
        if frame.isBlended {
            canvas.blend(pixels, left: frame.left, top: frame.top)
        } else {
            canvas.replace(pixels, left: frame.left, top: frame.top)
        }
    }

    private mutating func dispose(of frame: APNGFile.Frame) {
        switch frame.disposal {
        case .keep: break
        case .clear: canvas.clear(left: frame.left, top: frame.top, size: frame.size)
        case .restore: if let restored { canvas = restored }
        }
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

extension PixelBuffer {
    /// Copies all pixels of a picture that lies within this one.
    fileprivate mutating func replace(_ other: PixelBuffer, left: Int, top: Int) {
        guard other.size != size else {
            self = other
            return
        }
        let (stride, rowBytes) = (size.width * 4, other.size.width * 4)
        other.bytes.withUnsafeBytes { source in
            withMutableBytes { target in
                let target = UnsafeMutableRawBufferPointer(target)
                for y in 0..<other.size.height {
                    let place = (top + y) * stride + left * 4
                    UnsafeMutableRawBufferPointer(rebasing: target[place..<place + rowBytes])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[y * rowBytes..<(y + 1) * rowBytes]))
                }
            }
        }
    }

    /// Blends the pixels of a picture that lies within this one over the pixels there.
    fileprivate mutating func blend(_ other: PixelBuffer, left: Int, top: Int) {
        let (stride, rowBytes) = (size.width * 4, other.size.width * 4)
        other.bytes.withUnsafeBytes { source in
            withMutableBytes { target in
                let target = UnsafeMutableRawBufferPointer(target)
                for y in 0..<other.size.height {
                    for x in 0..<other.size.width where source[y * rowBytes + x * 4 + 3] != 0 {
                        let place = (top + y) * stride + (left + x) * 4
                        let above = source.loadUnaligned(fromByteOffset: y * rowBytes + x * 4, as: SIMD4<UInt8>.self)
                        let below = target.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt8>.self)
                        target.storeBytes(of: Self.blended(above, below), toByteOffset: place, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
    }

    /// Returns a pixel over another one, neither premultiplied; `above` must not be fully transparent.
    ///
    /// Source: W3C PNG, third edition, section 11.3.6 (`APNG_BLEND_OP_OVER`) and section 13.16.
    private static func blended(_ above: SIMD4<UInt8>, _ below: SIMD4<UInt8>) -> SIMD4<UInt8> {
        if above.w == 255 || below.w == 0 { return above }
        let (front, back) = (UInt32(above.w) * 255, UInt32(255 - above.w) * UInt32(below.w))
        let alpha = front + back
        let (a, b) = (SIMD4<UInt32>(truncatingIfNeeded: above), SIMD4<UInt32>(truncatingIfNeeded: below))
        var result = SIMD4<UInt8>(truncatingIfNeeded: (a &* front &+ b &* back &+ alpha / 2) / alpha)
        result.w = UInt8(truncatingIfNeeded: (alpha + 127) / 255)
        return result
    }
}
