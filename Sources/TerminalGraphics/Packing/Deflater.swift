import CZlib

/// The packing of a picture's rows in the zlib format (RFC 1950), several stripes at the same time.
///
/// Links over ssh are slow, so that packing pays. zlib packs, not the loader's codecs, which this target does not
/// import.
struct Deflater: Sendable {
    /// What is looked for.
    enum Strategy: Sendable {
        /// Anything that came before.
        case matches
        /// Equal bytes in a row, which is much faster.
        case runs
    }

    /// zlib's effort, 1 (fast) to 9 (small).
    let level: Int
    let strategy: Strategy

    /// Clamps `level` to 1…9.
    init(level: Int, strategy: Strategy = .matches) {
        self.level = min(max(level, 1), 9)
        self.strategy = strategy
    }

    /// The rows 0 to `height` packed, `rows` giving the bytes of some of them; nil when zlib has no memory.
    ///
    /// Each stripe is a deflate stream of its own that ends at a byte's border without being the last, so that one after
    /// the other they are one stream.
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

    /// A raw deflate stream (RFC 1951) or, unless it is the last, the beginning of one.
    private func deflated(_ input: [UInt8], isLast: Bool) -> [UInt8]? {
        var stream = z_stream()
        return withUnsafeMutablePointer(to: &stream) { stream in
            let strategy = strategy == .runs ? Z_RLE : Z_DEFAULT_STRATEGY
            let size = Int32(MemoryLayout<z_stream>.size)
            guard deflateInit2_(stream, Int32(level), Z_DEFLATED, -15, 9, strategy, ZLIB_VERSION, size) == Z_OK else {
                return nil
            }
            defer { deflateEnd(stream) }
            return Self.run(stream, input, flush: isLast ? Z_FINISH : Z_SYNC_FLUSH)
        }
    }

    private static func run(_ stream: UnsafeMutablePointer<z_stream>, _ input: [UInt8], flush: Int32) -> [UInt8]? {
        // The bound is that of a stream that is finished; a flush may take some bytes more.
        let room = Int(deflateBound(stream, UInt(input.count))) + 64
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { output, written in
            input.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(clamping: room)
                let status = deflate(stream, flush)
                isWhole = stream.pointee.avail_in == 0 && (status == Z_STREAM_END || status == Z_OK)
            }
            written = room - Int(stream.pointee.avail_out)
        }
        return isWhole ? bytes : nil
    }
}

extension UInt32 {
    /// The four bytes, the highest first.
    var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}

/// The CRC-32 of `bytes`, as PNG and gzip have it.
func checksum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_z(0, bytes, bytes.count))
}
