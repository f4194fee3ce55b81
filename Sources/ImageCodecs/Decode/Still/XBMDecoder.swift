import Raster

/// A decoder of XBM, whose set bits are black.
///
/// Source: the X11 manual of XReadBitmapFile.
struct XBMDecoder: BitmapDecoder {
    let size: PixelSize
    private let bytes: UnsafeRawBufferPointer

    /// Reads the header; nil if it is damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let header = XBMHeader(Array(bytes.prefix(FormatSignatures.bytesNeeded))) else { return nil }
        (size, self.bytes) = (header.size, bytes)
    }

    /// Decodes the pixels; missing ones are white.
    func pixels(isWhole: Bool) -> PixelBuffer? {
        let rowBytes = (size.width + 7) / 8
        let numbers = numbers(atMost: PixelSize(width: rowBytes, height: size.height).area)
        guard !isWhole || numbers.count == rowBytes * size.height else { return nil }
        return PixelBuffer(size: size) { target in
            target.update(repeating: 255)
            for (index, byte) in numbers.enumerated() {
                let (y, start) = (index / rowBytes, index % rowBytes * 8)
                for bit in 0..<min(8, size.width - start) where byte >> bit & 1 == 1 {
                    let place = (y * size.width + start + bit) * 4
                    for channel in 0..<3 { target[place + channel] = 0 }
                }
            }
        }
    }

    /// Returns the hexadecimal numbers after the brace; in X10 bitmaps they have two bytes.
    private func numbers(atMost count: Int) -> [UInt8] {
        guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")) else { return [] }
        var numbers: [UInt8] = []
        let isShort = bytes[..<brace].reversed().prefix(64).reversed().map { Character(Unicode.Scalar($0)) }
            .contains("short")
        let rowBytes = (size.width + 7) / 8
        for word in bytes[(brace + 1)...].split(maxSplits: count, whereSeparator: { ",; \n\r\t}".utf8.contains($0) }) {
            guard numbers.count < count, word.starts(with: "0x".utf8) || word.starts(with: "0X".utf8),
                let value = UInt16(String(decoding: word.dropFirst(2), as: UTF8.self), radix: 16)
            else { break }
            numbers.append(UInt8(truncatingIfNeeded: value))
            // A row of shorts with an odd number of bytes ends with an unused one.
            if isShort, numbers.count % rowBytes != 0 { numbers.append(UInt8(value >> 8)) }
        }
        return numbers
    }
}
