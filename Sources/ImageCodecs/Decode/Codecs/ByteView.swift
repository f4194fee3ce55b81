import AlcedoCDeflate
import FoundationEssentials

/// A bounds-checked view of bytes, read by offset.
struct ByteView {
    let bytes: UnsafeRawBufferPointer

    /// Reads an unsigned number of one to seven bytes; nil if the bytes do not lie within the view.
    ///
    /// - Parameters:
    ///   - offset: The position of the first byte.
    ///   - count: The number of bytes.
    ///   - isLittle: Whether the lowest byte comes first; false by default.
    func number(at offset: Int, bytes count: Int, isLittle: Bool = false) -> Int? {
        guard let part = part(at: offset, count: count) else { return nil }
        return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns `count` bytes from an offset; nil if they do not lie within the view.
    func part(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    func has(_ text: String, at offset: Int) -> Bool {
        part(at: offset, count: text.utf8.count)?.elementsEqual(text.utf8) ?? false
    }
}

/// Decompression of complete zlib streams in memory.
enum Inflating {
    /// Decompresses a stream; nil if it is damaged or does not hold exactly `count` bytes.
    ///
    /// - Parameter isBare: Whether the stream is deflate without zlib's header and checksum.
    static func bytes(_ packed: UnsafeRawBufferPointer, count: Int, isBare: Bool) -> [UInt8]? {
        let result = run(isBare ? libdeflate_deflate_decompress : libdeflate_zlib_decompress, packed, count)
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
            // The call fails when the output is full or the input ends, but it has written the bytes before that.
            _ = libdeflate_gzip_decompress(
                inflater, packed.baseAddress, packed.count, target.baseAddress, count, &written)
        }
        return result
    }
}

extension ContiguousBytes {
    /// Calls a closure with the bytes and throws its error with its type, which `withUnsafeBytes` loses.
    func withBytes<Output, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let outcome: Result<Output, Failure> = withUnsafeBytes { bytes in
            do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// A file's bytes at an address that stays, for libraries that keep it.
///
/// Few bytes lie in the value of `Data` itself and are copied; more lie on the heap or in a map of the file, which can be
/// large, and stay as long as `data`.
final class HeldBytes {
    let bytes: UnsafeRawBufferPointer
    let data: Data

    private let copy: UnsafeMutableRawBufferPointer?

    init(_ data: Data) {
        self.data = data
        copy = data.count > MemoryLayout<Data>.size ? nil : .allocate(byteCount: data.count, alignment: 16)
        copy?.copyBytes(from: data)
        bytes = copy.map { UnsafeRawBufferPointer($0) } ?? data.withUnsafeBytes { $0 }
    }

    deinit { copy?.deallocate() }
}
