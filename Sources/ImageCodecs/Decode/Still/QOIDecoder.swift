import Raster

/// A decoder of QOI.
///
/// Source: The Quite OK Image Format, specification version 1.0.
struct QOIDecoder: BitmapDecoder {
    let size: PixelSize
    private let bytes: UnsafeRawBufferPointer

    /// Reads the header; nil if it is damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let view = ByteView(bytes: bytes)
        guard view.has("qoif", at: 0), let width = view.number(at: 4, bytes: 4),
            let height = view.number(at: 8, bytes: 4), bytes.count >= 14, [3, 4].contains(bytes[12])
        else { return nil }
        size = PixelSize(width: width, height: height)
        self.bytes = bytes
    }

    /// Decodes the pixels; missing ones are transparent.
    func pixels(isWhole: Bool) -> PixelBuffer? {
        // A byte holds a run of at most 62 pixels.
        let most = (bytes.count - 14).multipliedReportingOverflow(by: 62).partialValue
        // A file with less than a twentieth of its bytes is not shown at all.
        guard !size.isEmpty, size.area / (isWhole ? 1 : 20) <= most else { return nil }
        var isComplete = true
        let picture = PixelBuffer(size: size) { isComplete = decode(into: $0) }
        return isComplete || !isWhole ? picture : nil
    }

    private func decode(into target: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        target.update(repeating: 0)
        var seen = [SIMD4<UInt8>](repeating: .zero, count: 64)
        var pixel = SIMD4<UInt8>(0, 0, 0, 255)
        var (offset, place) = (14, 0)
        while place < target.count {
            guard offset < bytes.count else { return false }
            var run = 1
            let tag = bytes[offset]
            guard offset + Self.length(of: tag) <= bytes.count else { return false }
            switch tag {
            case 0xFE: pixel = SIMD4(bytes[offset + 1], bytes[offset + 2], bytes[offset + 3], pixel.w)
            case 0xFF: pixel = SIMD4(bytes[offset + 1], bytes[offset + 2], bytes[offset + 3], bytes[offset + 4])
            case 0x00...0x3F: pixel = seen[Int(tag)]
            case 0x40...0x7F:
                let step: SIMD4<UInt8> = SIMD4(tag >> 4 & 3, tag >> 2 & 3, tag & 3, 2)
                pixel &+= step &- 2
            case 0x80...0xBF:
                let green = (tag & 63) &- 32
                let next = bytes[offset + 1]
                let red: UInt8 = green &- 8 &+ (next >> 4)
                let blue: UInt8 = green &- 8 &+ (next & 15)
                pixel &+= SIMD4(red, green, blue, 0)
            default: run = Int(tag & 63) + 1
            }
            offset += Self.length(of: tag)
            seen[Int((pixel &* SIMD4<UInt8>(3, 5, 7, 11)).wrappedSum() & 63)] = pixel
            for _ in 0..<min(run, (target.count - place) / 4) {
                for channel in 0..<4 { target[place + channel] = pixel[channel] }
                place += 4
            }
        }
        return true
    }

    /// Returns the number of bytes of a chunk with this first byte.
    private static func length(of tag: UInt8) -> Int {
        switch tag {
        case 0xFE: 4
        case 0xFF: 5
        case 0x80...0xBF: 2
        default: 1
        }
    }
}
