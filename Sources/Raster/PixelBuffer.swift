/// A picture in memory: rows from the top, four bytes per pixel (red, green, blue, alpha), sRGB, not premultiplied.
public struct PixelBuffer: Hashable, Sendable {
    /// The width and the height in pixels.
    public let size: PixelSize
    /// The pixels, `size.area * 4` bytes.
    public private(set) var bytes: [UInt8]

    /// Creates a buffer from its bytes; nil if their number is not `size.area * 4`.
    public init?(size: PixelSize, bytes: [UInt8]) {
        let (count, overflow) = size.area.multipliedReportingOverflow(by: 4)
        guard !overflow, bytes.count == count else { return nil }
        self.size = size
        self.bytes = bytes
    }

    /// Creates a buffer of one colour.
    public init(size: PixelSize, filledWith color: Color) {
        self.init(size: size) { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                (bytes[pixel], bytes[pixel + 1]) = (color.red, color.green)
                (bytes[pixel + 2], bytes[pixel + 3]) = (color.blue, color.alpha)
            }
        }
    }

    /// Creates a buffer whose bytes `fill` writes completely.
    public init(size: PixelSize, fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        self.size = size
        let total = size.area * 4
        bytes = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
            fill(UnsafeMutableBufferPointer(rebasing: buffer[0..<total]))
            count = total
        }
    }

    /// The colour at a position, which must be inside the picture.
    public subscript(x: Int, y: Int) -> Color {
        get {
            let offset = (y * size.width + x) * 4
            return Color(
                red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2], alpha: bytes[offset + 3])
        }
        set {
            let offset = (y * size.width + x) * 4
            bytes[offset] = newValue.red
            bytes[offset + 1] = newValue.green
            bytes[offset + 2] = newValue.blue
            bytes[offset + 3] = newValue.alpha
        }
    }

    /// Calls `body` with the bytes, for fast loops.
    public mutating func withMutableBytes<Result>(
        _ body: (inout UnsafeMutableBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeMutableBufferPointer { try body(&$0) }
    }

    /// Whether every pixel is opaque.
    ///
    /// Complexity: O(pixels).
    public var isOpaque: Bool { stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }
}
