import Foundation
import Glibc

/// A file of ours in UTF-8: read whole, and only when it is a plain one of at most 1 MiB.
struct SmallTextFile {
    static let maximumBytes = 1 << 20

    let path: String

    enum Problem: Error {
        /// There is none; the words are the system's.
        case missing(String)
        /// The file as a whole, and what is wrong with it.
        case unusable(String)
        case faulty(ConfigurationFault)
    }

    func text() throws(Problem) -> String {
        // Not to wait for the other end, should it be a FIFO.
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

    /// One byte more than the limit at most, as a file may grow while it is read.
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
