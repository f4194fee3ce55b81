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
        self.size = size
        bytes = [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, count in
            for pixel in 0..<size.area {
                buffer[pixel * 4] = color.red
                buffer[pixel * 4 + 1] = color.green
                buffer[pixel * 4 + 2] = color.blue
                buffer[pixel * 4 + 3] = color.alpha
            }
            count = size.area * 4
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
    public var isOpaque: Bool {
        var offset = 3
        while offset < bytes.count {
            if bytes[offset] != 255 { return false }
            offset += 4
        }
        return true
    }
}
