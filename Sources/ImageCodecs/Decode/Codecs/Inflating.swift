import CDeflate

/// Unpacks streams of zlib's format that are in memory as a whole.
enum Inflating {
    /// What the stream holds; nil when it is damaged or holds another number of bytes.
    static func bytes(_ packed: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
        let result = bytes(packed, atMost: count)
        return result?.count == count ? result : nil
    }

    /// What the stream holds; nil when it is damaged or holds more bytes.
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
