import CDeflate

/// Decompression of complete zlib streams in memory.
enum Inflating {
    /// Decompresses a stream; nil if it is damaged or does not hold exactly `count` bytes.
    static func bytes(_ packed: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
        let result = bytes(packed, atMost: count)
        return result?.count == count ? result : nil
    }

    /// Decompresses a stream; nil if it is damaged or holds more than `limit` bytes.
    static func bytes(_ packed: UnsafeRawBufferPointer, atMost limit: Int) -> [UInt8]? {
        run(libdeflate_zlib_decompress, packed, limit)
    }

    /// Decompresses a gzip file; nil if it is damaged or holds more than `limit` bytes.
    static func gzip(_ packed: UnsafeRawBufferPointer, atMost limit: Int) -> [UInt8]? {
        // The last four bytes state the size, modulo 2³².
        let size = ByteView(bytes: packed).number(at: packed.count - 4, bytes: 4, isLittle: true)
        return size.flatMap { $0 <= limit ? run(libdeflate_gzip_decompress, packed, $0) : nil }
    }

    private typealias Decompression = (
        OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?
    ) -> libdeflate_result

    private static func run(_ decompress: Decompression, _ packed: UnsafeRawBufferPointer, _ limit: Int) -> [UInt8]? {
        guard let inflater = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(inflater) }
        var status = LIBDEFLATE_BAD_DATA
        let result = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
            status = decompress(inflater, packed.baseAddress, packed.count, memory.baseAddress, limit, &count)
            if status != LIBDEFLATE_SUCCESS { count = 0 }
        }
        return status == LIBDEFLATE_SUCCESS ? result : nil
    }

    /// Decompresses the beginning of a gzip file; bytes that are not there are zero.
    static func beginning(ofGzip packed: UnsafeRawBufferPointer, count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        guard let inflater = libdeflate_alloc_decompressor() else { return result }
        defer { libdeflate_free_decompressor(inflater) }
        result.withUnsafeMutableBytes { target in
            var written = 0
            // It fails for lack of room or of data, and has written what fits until then.
            _ = libdeflate_gzip_decompress(
                inflater, packed.baseAddress, packed.count, target.baseAddress, count, &written)
        }
        return result
    }
}
