import Raster

/// A decoder of TGA files with grey and alpha, whose 16 bits ImageMagick takes for colours.
///
/// Source: Truevision TGA File Format Specification 2.0, types 3 and 11.
struct GreyTGADecoder: BitmapDecoder {
    let size: PixelSize
    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    private let isPacked, isFromTop, isFromRight: Bool

    /// Reads the header; nil for other kinds of TGA.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let header = TGAHeader(Array(bytes.prefix(18))), [3, 11].contains(bytes[2]), bytes[16] == 16 else {
            return nil
        }
        let mapBytes = Int(bytes[1]) * (Int(bytes[5]) | Int(bytes[6]) << 8) * ((Int(bytes[7]) + 7) / 8)
        (size, self.bytes, start) = (header.size, bytes, 18 + Int(bytes[0]) + mapBytes)
        (isPacked, isFromTop, isFromRight) = (bytes[2] == 11, bytes[17] & 0x20 != 0, bytes[17] & 0x10 != 0)
    }

    /// Decodes the pixels; missing ones are transparent.
    func pixels(isWhole: Bool) -> PixelBuffer? {
        // A packet of three bytes holds at most 128 pixels; a file with less than a twentieth is not shown at all.
        let most = (bytes.count - start) * (isPacked ? 43 : 1)
        guard !size.isEmpty, size.area / (isWhole ? 1 : 20) <= most else { return nil }
        var isComplete = true
        let picture = PixelBuffer(size: size) { target in
            target.update(repeating: 0)
            isComplete = decode(into: target)
        }
        return isComplete || !isWhole ? picture : nil
    }

    private func decode(into target: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var (offset, pixel) = (start, 0)
        while pixel < size.area {
            var (run, isRepeated) = (size.area - pixel, false)
            if isPacked {
                guard offset < bytes.count else { return false }
                (run, isRepeated) = (min(run, Int(bytes[offset] & 0x7F) + 1), bytes[offset] & 0x80 != 0)
                offset += 1
            }
            for index in 0..<run {
                guard offset + 1 < bytes.count else { return false }
                let (x, y) = (pixel % size.width, pixel / size.width)
                let row = isFromTop ? y : size.height - 1 - y
                let place = (row * size.width + (isFromRight ? size.width - 1 - x : x)) * 4
                for channel in 0..<3 { target[place + channel] = bytes[offset] }
                target[place + 3] = bytes[offset + 1]
                if !isRepeated || index == run - 1 { offset += 2 }
                pixel += 1
            }
        }
        return true
    }
}
