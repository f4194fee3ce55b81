import AlcedoCZlib

/// The ways back, written for these tests from the formats alone.
enum Unpacking {
    struct Refusal: Error, Equatable {
        let reason: String
    }

    /// The bytes of a base64 text, which must be padded and have no other characters.
    static func base64(_ text: ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
        guard text.count % 4 == 0 else { throw Refusal(reason: "base64 length \(text.count)") }
        let padding = text.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
        var (bits, count) = (UInt32(0), 0)
        var bytes: [UInt8] = []
        for character in text.dropLast(padding) {
            guard let value = value(character) else { throw Refusal(reason: "base64 character \(character)") }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    private static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// What a zlib stream holds, which must be exactly so many bytes and end the input.
    static func inflate(_ packed: [UInt8], count: Int) throws(Refusal) -> [UInt8] {
        var stream = z_stream()
        var result: [UInt8] = []
        var input = packed
        let size = Int32(MemoryLayout<z_stream>.size)
        let (status, rest) = withUnsafeMutablePointer(to: &stream) { stream in
            inflateInit_(stream, ZLIB_VERSION, size)
            defer { inflateEnd(stream) }
            return input.withUnsafeMutableBufferPointer { input in
                var status = Z_OK
                result = [UInt8](unsafeUninitializedCapacity: count + 1) { output, written in
                    stream.pointee.next_in = input.baseAddress
                    stream.pointee.avail_in = UInt32(input.count)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(count + 1)
                    status = AlcedoCZlib.inflate(stream, Z_FINISH)
                    written = count + 1 - Int(stream.pointee.avail_out)
                }
                return (status, stream.pointee.avail_in)
            }
        }
        guard status == Z_STREAM_END, rest == 0, result.count == count else {
            throw Refusal(reason: "zlib \(status), \(rest) bytes left, \(result.count) instead of \(count)")
        }
        return result
    }
}
