import CNcurses
import Glibc

/// A file in memory that curses writes to in the terminal's stead.
final class MemoryFile {
    let stream: UnsafeMutablePointer<FILE>
    private let descriptor: Int32

    init() throws(TerminalError) {
        descriptor = alcedo_memory_file()
        guard descriptor >= 0 else { throw .system(call: "memfd_create", code: errno) }
        guard let stream = fdopen(descriptor, "w") else {
            close(descriptor)
            throw .system(call: "fdopen", code: errno)
        }
        self.stream = stream
    }

    deinit { fclose(stream) }

    /// Takes out all that was written since the last call.
    func drain() -> [UInt8] {
        fflush(stream)
        let length = Int(lseek(descriptor, 0, SEEK_END))
        guard length > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
        }
        ftruncate(descriptor, 0)
        lseek(descriptor, 0, SEEK_SET)
        return bytes
    }
}
