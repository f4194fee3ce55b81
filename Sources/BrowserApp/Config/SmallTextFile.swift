import Foundation
import Glibc

/// A UTF-8 file of at most 1 MiB that is read at once; only regular files are accepted.
struct SmallTextFile {
    static let maximumBytes = 1 << 20

    let path: String

    enum Problem: Error {
        /// The file does not exist; the text is the system's message.
        case missing(String)
        /// The file cannot be read, and why.
        case unusable(String)
        case faulty(ConfigurationFault)
    }

    func text() throws(Problem) -> String {
        // Without O_NONBLOCK, opening a FIFO would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isMissing = errno == ENOENT || errno == ENOTDIR
            let reason = "cannot be opened: \(String(cString: strerror(errno)))"
            throw isMissing ? .missing(reason) : .unusable(reason)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unusable("is not a plain file")
        }
        let bytes = try bytes(from: descriptor)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .faulty(ConfigurationFault("not UTF-8", at: .firstBadByte(of: bytes)))
        }
        return text
    }

    /// Reads at most one byte more than the limit, because the file may grow meanwhile.
    private func bytes(from descriptor: Int32) throws(Problem) -> [UInt8] {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        var bytes: [UInt8] = []
        do {
            while bytes.count <= Self.maximumBytes, let data = try handle.read(upToCount: 65_536), !data.isEmpty {
                bytes += data
            }
        } catch {
            throw .unusable("cannot be read: \(error.localizedDescription)")
        }
        guard bytes.count <= Self.maximumBytes else { throw .unusable("is larger than 1 MiB") }
        return bytes
    }
}
