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
        guard let inflater = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(inflater) }
        var status = LIBDEFLATE_BAD_DATA
        let result = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
            status = libdeflate_zlib_decompress(
                inflater, packed.baseAddress, packed.count, memory.baseAddress, limit, &count)
            if status != LIBDEFLATE_SUCCESS { count = 0 }
        }
        return status == LIBDEFLATE_SUCCESS ? result : nil
    }
}
