import Raster

/// The treatment of a frame's area before the next frame is drawn.
enum Disposal {
    case keep, clear, restore
}

/// A frame of a GIF or an animated PNG: how the canvas draws it, and where its pixels lie.
struct CanvasFrame: Sendable {
    var left = 0
    var top = 0
    var size = PixelSize.zero
    var delay = Duration.zero
    var disposal = Disposal.keep
    /// Whether the frame is blended over the canvas; otherwise it replaces the pixels of its area.
    var isBlended = true
    /// The range in the file of a GIF's local colour table and codes, or from the first to the last chunk of a PNG's pixels;
    /// empty before it is read.
    var body = 0..<0
    /// The index of the transparent colour of a GIF.
    var transparentIndex: UInt8?
    /// The packed flags of a GIF's image descriptor.
    var flags: UInt8 = 0
    /// Whether the frame is the default image of a PNG, whose pixels are in chunks of another kind.
    var isDefaultImage = false
}

/// The canvas of an animation, on which its frames are drawn in order.
struct FrameCanvas {
    private(set) var pixels: PixelBuffer
    /// The number of frames that were drawn.
    private(set) var count = 0
    private var last: CanvasFrame?
    /// The canvas before the last frame was drawn, if the disposal of that frame restores it.
    private var restored: PixelBuffer?

    /// Creates a transparent canvas.
    init(size: PixelSize) {
        pixels = PixelBuffer(size: size, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
    }

    /// Applies the disposal method of the previous frame, then draws the next one.
    ///
    /// - Parameters:
    ///   - picture: The pixels of the frame; nil if the frame has none.
    ///   - frame: The frame. It is clipped to the canvas if it is blended; otherwise it must lie within the canvas.
    mutating func draw(_ picture: PixelBuffer?, of frame: CanvasFrame) {
        if let last { dispose(of: last) }
        // Before the first frame the canvas is transparent, so restoring it equals clearing it.
        restored = frame.disposal == .restore ? pixels : nil
        last = frame
        count += 1
        guard let picture else { return }
        if frame.isBlended {
            pixels.blend(picture, left: frame.left, top: frame.top)
        } else {
            pixels.replace(picture, left: frame.left, top: frame.top)
        }
    }

    private mutating func dispose(of frame: CanvasFrame) {
        switch frame.disposal {
        case .keep: break
        case .clear: pixels.clear(left: frame.left, top: frame.top, size: frame.size)
        case .restore: if let restored { pixels = restored }
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

    /// Blends the pixels of a picture over the pixels of this one; parts outside are clipped.
    fileprivate mutating func blend(_ other: PixelBuffer, left: Int, top: Int) {
        let (width, height) = (min(other.size.width, size.width - left), min(other.size.height, size.height - top))
        guard width > 0, height > 0 else { return }
        let (stride, rowBytes) = (size.width * 4, other.size.width * 4)
        other.bytes.withUnsafeBytes { source in
            withMutableBytes { target in
                let target = UnsafeMutableRawBufferPointer(target)
                for y in 0..<height {
                    for x in 0..<width where source[y * rowBytes + x * 4 + 3] != 0 {
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

    /// Makes a rectangle transparent; parts outside are clipped.
    fileprivate mutating func clear(left: Int, top: Int, size part: PixelSize) {
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
