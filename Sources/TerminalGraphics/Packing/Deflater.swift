import AlcedoCZlib

/// Compresses rows in the zlib format (RFC 1950), several stripes concurrently.
///
/// Compression pays off because links over ssh are slow. zlib is used instead of the loader's codecs, which this target
/// does not import.
struct Deflater: Sendable {
    /// The compression level, 1 (fast) to 9 (small).
    let level: Int
    /// Whether only runs of equal bytes are searched for, which is much faster.
    let runsOnly: Bool

    /// Creates a compressor; `level` is clamped to 1…9.
    init(level: Int, runsOnly: Bool = false) {
        self.level = min(max(level, 1), 9)
        self.runsOnly = runsOnly
    }

    /// Compresses the rows 0 to `height`, which `rows` returns as bytes; nil if zlib has no memory.
    ///
    /// Each stripe is a deflate stream that ends at a byte boundary without being marked as the last, so that their
    /// concatenation is one stream.
    @concurrent
    func packed(height: Int, rows: @escaping @Sendable (Range<Int>) -> [UInt8]) async -> [UInt8]? {
        let parts = await Stripes(of: height).map { stripe in
            Part(rows(stripe), deflater: self, isLast: stripe.upperBound == height)
        }
        var bytes: [UInt8] = [0x78, 0x01]
        var sum = adler32(0, nil, 0)
        for part in parts {
            guard let part else { return nil }
            bytes += part.bytes
            sum = adler32_combine(sum, part.checksum, part.length)
        }
        return bytes + UInt32(truncatingIfNeeded: sum).bigEndianBytes
    }

    private struct Part: Sendable {
        let bytes: [UInt8]
        let checksum: uLong
        let length: Int

        init?(_ input: [UInt8], deflater: Deflater, isLast: Bool) {
            guard input.count <= Int(UInt32.max), let bytes = deflater.deflated(input, isLast: isLast) else {
                return nil
            }
            self.bytes = bytes
            length = input.count
            checksum = adler32(adler32(0, nil, 0), input, UInt32(input.count))
        }
    }

    /// Returns a raw deflate stream (RFC 1951), or the first part of one if `isLast` is false.
    private func deflated(_ input: [UInt8], isLast: Bool) -> [UInt8]? {
        var stream = z_stream()
        return withUnsafeMutablePointer(to: &stream) { stream in
            let strategy = runsOnly ? Z_RLE : Z_DEFAULT_STRATEGY
            let size = Int32(MemoryLayout<z_stream>.size)
            guard deflateInit2_(stream, Int32(level), Z_DEFLATED, -15, 9, strategy, ZLIB_VERSION, size) == Z_OK else {
                return nil
            }
            defer { deflateEnd(stream) }
            return Self.run(stream, input, flush: isLast ? Z_FINISH : Z_SYNC_FLUSH)
        }
    }

    private static func run(_ stream: UnsafeMutablePointer<z_stream>, _ input: [UInt8], flush: Int32) -> [UInt8]? {
        // The bound applies to a finished stream; a flush may add some bytes.
        let capacity = Int(deflateBound(stream, UInt(input.count))) + 64
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { output, written in
            input.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(clamping: capacity)
                let status = deflate(stream, flush)
                isWhole = stream.pointee.avail_in == 0 && (status == Z_STREAM_END || status == Z_OK)
            }
            written = capacity - Int(stream.pointee.avail_out)
        }
        return isWhole ? bytes : nil
    }
}

extension UInt32 {
    /// The four bytes in big-endian order.
    var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}

/// Returns the CRC-32 of `bytes`, as PNG and gzip define it.
func checksum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_z(0, bytes, bytes.count))
}
