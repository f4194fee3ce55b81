import AlcedoCSandbox
import AlcedoImageCodecs
import FoundationEssentials
import Glibc
import Raster

/// An owned descriptor of anonymous memory (memfd_create(2)), which the program passes to a helper.
///
/// The program seals it, before it sends a file and after it receives a reply: its size and its bytes cannot change any
/// more (F_SEAL_WRITE and F_SEAL_SHRINK of fcntl(2)).
struct SharedMemory: ~Copyable {
    let descriptor: Int32

    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Creates empty memory; nil if the system has no more descriptors.
    init?() {
        let descriptor = sandbox_memfd()
        guard descriptor >= 0 else { return nil }
        self.init(adopting: descriptor)
    }

    /// A value without memory; every use of it fails.
    static var none: SharedMemory { SharedMemory(adopting: -1) }

    /// Creates sealed memory of some bytes; nil if the system has no more memory or descriptors.
    init?(_ bytes: some ContiguousBytes) {
        self.init(adopting: sandbox_memfd())
        guard descriptor >= 0, write(bytes), sandbox_seal(descriptor) == 0 else { return nil }
    }

    /// Appends bytes; returns false if there is no memory for them.
    borrowing func write(_ bytes: some ContiguousBytes) -> Bool {
        bytes.withUnsafeBytes { Self.write($0, to: descriptor) }
    }

    /// Seals the memory; returns whether it has exactly this number of bytes and nobody can change it any more.
    borrowing func seal(byteCount: Int) -> Bool {
        var facts = stat()
        return sandbox_seal(descriptor) == 0 && fstat(descriptor, &facts) == 0 && facts.st_size == byteCount
    }

    /// Reads the pixels at an offset; nil if there are fewer bytes.
    borrowing func pixels(at offset: Int, size: PixelSize) -> PixelBuffer? {
        var isComplete = false
        let pixels = PixelBuffer(size: size) { isComplete = read(into: UnsafeMutableRawBufferPointer($0), at: offset) }
        return isComplete ? pixels : nil
    }

    /// Reads little-endian numbers of eight bytes at an offset; nil if there are fewer bytes.
    borrowing func numbers(at offset: Int, count: Int) -> [Int64]? {
        var numbers = [Int64](repeating: 0, count: count)
        let isComplete = numbers.withUnsafeMutableBytes { read(into: $0, at: offset) }
        return isComplete ? numbers.map(Int64.init(littleEndian:)) : nil
    }

    /// Fills a buffer with the bytes at an offset; false if there are fewer.
    private borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let result = pread(descriptor, rest.baseAddress, rest.count, offset + filled)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return false }
            filled += result
        }
        return true
    }

    /// Returns all bytes as data that stays mapped until its last use; nil if they cannot be mapped.
    borrowing func mapped() -> Data? {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_size >= 0 else { return nil }
        let count = Int(facts.st_size)
        guard count > 0 else { return Data() }
        guard let base = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else { return nil }
        return Data(bytesNoCopy: base, count: count, deallocator: .unmap)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let result = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return false }
            rest = rest.dropFirst(result)
        }
        return true
    }
}
