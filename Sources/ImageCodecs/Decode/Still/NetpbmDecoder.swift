import Raster

/// A decoder of PBM, PGM, PPM and PAM, and of PFM, whose samples are linear light and clipped at 1.
///
/// Source: the Netpbm pages of each format, and Paul Debevec's description of PFM.
struct NetpbmDecoder: BitmapDecoder {
    let size: PixelSize
    private let bytes: UnsafeRawBufferPointer
    private let kind: UInt8
    private var channels = 1
    private var maximum = 1
    /// The scale of PFM; negative when the lowest byte comes first.
    private var scale = 1.0
    private var start = 0

    /// Reads the header; nil if it is damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 3, bytes[0] == 0x50 else { return nil }
        (self.bytes, kind) = (bytes, bytes[1])
        var cursor = NetpbmCursor(bytes: bytes, offset: 2)
        if kind == 0x37 {
            guard let fields = cursor.fields(), let width = fields["WIDTH"], let height = fields["HEIGHT"],
                let depth = fields["DEPTH"], let maximum = fields["MAXVAL"]
            else { return nil }
            size = PixelSize(width: width, height: height)
            (channels, self.maximum) = (depth, maximum)
        } else {
            guard let width = cursor.number(), let height = cursor.number() else { return nil }
            size = PixelSize(width: width, height: height)
            channels = [0x33, 0x36, 0x46].contains(kind) ? 3 : 1
            if isFloat {
                guard let scale = cursor.word().flatMap({ Double($0) }), scale != 0 else { return nil }
                self.scale = scale
            } else if kind != 0x31, kind != 0x34 {
                guard let maximum = cursor.number() else { return nil }
                self.maximum = maximum
            }
            // One white space ends the header.
            cursor.offset += 1
        }
        start = cursor.offset
        guard !size.isEmpty, (1...65_535).contains(maximum), (1...4).contains(channels) else { return nil }
    }

    private var isFloat: Bool { kind == 0x46 || kind == 0x66 }
    private var isText: Bool { (0x31...0x33).contains(kind) }

    /// Decodes the pixels; missing ones are white.
    func pixels(isWhole: Bool) -> PixelBuffer? {
        let count = size.area.multipliedReportingOverflow(by: channels)
        let sample = isFloat ? 4 : maximum > 255 ? 2 : 1
        let rowBytes = kind == 0x34 ? (size.width + 7) / 8 : size.width * channels * sample
        let least = isText ? count.partialValue : PixelSize(width: rowBytes, height: size.height).area
        // A file with less than a twentieth of its bytes is not shown at all.
        guard !count.overflow, least / (isWhole ? 1 : 20) <= bytes.count - start + (isText ? 1 : 0) else { return nil }
        var text = NetpbmCursor(bytes: bytes, offset: max(0, start - 1))
        var isComplete = true
        let picture = PixelBuffer(size: size) { target in
            target.update(repeating: 255)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let place = (y * size.width + x) * 4
                    for channel in 0..<channels {
                        let value = isText ? textSample(&text) : sampleValue(x, y, channel, rowBytes)
                        guard let value else {
                            isComplete = false
                            return
                        }
                        write(value, channel, to: target, at: place)
                    }
                }
            }
        }
        return isComplete || !isWhole ? picture : nil
    }

    private func write(_ value: UInt8, _ channel: Int, to target: UnsafeMutableBufferPointer<UInt8>, at place: Int) {
        guard channels < 3 else {
            target[place + channel] = value
            return
        }
        guard channel == 0 else {
            target[place + 3] = value
            return
        }
        for color in 0..<3 { target[place + color] = value }
    }

    private func textSample(_ text: inout NetpbmCursor) -> UInt8? {
        kind == 0x31 ? text.digit().map { $0 == 0 ? 255 : 0 } : text.number().map(scaled)
    }

    private func scaled(_ value: Int) -> UInt8 {
        maximum == 255 ? UInt8(min(value, 255)) : UInt8((min(value, maximum) * 255 + maximum / 2) / maximum)
    }

    private func sampleValue(_ x: Int, _ y: Int, _ channel: Int, _ rowBytes: Int) -> UInt8? {
        if kind == 0x34 { return byte(start + y * rowBytes + x / 8).map { $0 >> (7 - x % 8) & 1 == 0 ? 255 : 0 } }
        let index = x * channels + channel
        if isFloat {
            // Rows come from the bottom up.
            let offset = start + (size.height - 1 - y) * rowBytes + index * 4
            guard offset >= 0, offset + 4 <= bytes.count else { return nil }
            let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return Self.display(Float(bitPattern: scale < 0 ? UInt32(littleEndian: bits) : UInt32(bigEndian: bits)))
        }
        let offset = start + y * rowBytes + index * (maximum > 255 ? 2 : 1)
        guard maximum > 255 else { return byte(offset).map { scaled(Int($0)) } }
        return byte(offset + 1).map { scaled(Int(bytes[offset]) << 8 | Int($0)) }
    }

    private func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Converts linear light to sRGB.
    private static func display(_ value: Float) -> UInt8 {
        guard value > 0 else { return 0 }
        guard value < 1 else { return 255 }
        return UInt8((SRGBCurve.sample(Double(value)) * 255).rounded())
    }
}

/// A reader of the numbers and words in a Netpbm header.
private struct NetpbmCursor {
    let bytes: UnsafeRawBufferPointer
    var offset: Int

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = current {
            if byte == 0x23 {
                while let byte = current, byte != 10, byte != 13 { offset += 1 }
            } else if byte == 0x20 || (9...13).contains(byte) {
                offset += 1
            } else {
                return
            }
        }
    }

    /// Reads an unsigned number of at most nine digits.
    mutating func number() -> Int? {
        skipSpace()
        var (value, digits) = (0, 0)
        while let byte = current, (0x30...0x39).contains(byte), digits < 9 {
            value = value * 10 + Int(byte - 0x30)
            offset += 1
            digits += 1
        }
        return digits > 0 ? value : nil
    }

    /// Reads one digit, which needs no space before the next.
    mutating func digit() -> Int? {
        skipSpace()
        guard let byte = current, byte == 0x30 || byte == 0x31 else { return nil }
        offset += 1
        return Int(byte - 0x30)
    }

    mutating func word() -> String? {
        skipSpace()
        let start = offset
        while let byte = current, byte > 0x20 { offset += 1 }
        return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
    }

    /// Reads the lines of a PAM header up to its end; nil if there is none.
    mutating func fields() -> [String: Int]? {
        var fields: [String: Int] = [:]
        while let name = word() {
            if name == "ENDHDR" {
                offset += 1
                return fields
            }
            if name == "TUPLTYPE" {
                _ = word()
            } else {
                fields[name] = number()
            }
        }
        return nil
    }
}
