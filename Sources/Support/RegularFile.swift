import FoundationEssentials
import Glibc

/// Reading of regular files, which never blocks on a pipe or a device.
package enum RegularFile {
    package enum Problem: Error {
        case system(operation: String, code: Int32)
        case notRegular, folder
        /// The file does not exist, and its path looks like a web address without a scheme.
        case noScheme
        case tooLarge(bytes: Int, limit: Int)
        case changedWhileReading
        case stopped
    }

    /// The number of bytes between two calls of `goesOn`.
    private static let slice = 256 << 10

    /// Returns whether the path is a regular file or a link to one.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the whole content of a regular file.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - followLinks: Whether the last component of the path may be a symbolic link; true by default.
    ///   - goesOn: Receives the bytes read so far and the size; returns false to stop the read with `.stopped`.
    package static func read(
        _ path: String, limit: Int, followLinks: Bool = true, goesOn: (Int, Int) -> Bool = { _, _ in true }
    ) throws(Problem) -> Data {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW)
        let descriptor = path.withPath { open($0, flags) }
        guard descriptor >= 0 else { throw .system(operation: "open", code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(operation: "stat", code: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .folder }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard status.st_size <= limit else { throw .tooLarge(bytes: Int(status.st_size), limit: limit) }
        return try read(descriptor, count: Int(status.st_size), goesOn)
    }

    /// Returns the whole content as text; nil if it is not UTF-8.
    package static func text(at url: URL, limit: Int) throws(Problem) -> String? {
        String(bytes: try read(url.filePath, limit: limit), encoding: .utf8)
    }

    private static func read(
        _ descriptor: Int32, count: Int, _ goesOn: (Int, Int) -> Bool
    ) throws(Problem) -> Data {
        var data = Data(count: count)
        var done = 0
        while done < count {
            let got = data.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + done }, min(slice, count - done))
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .system(operation: "read", code: errno)
            }
            guard got > 0 else { throw .changedWhileReading }
            done += got
            guard goesOn(done, count) else { throw .stopped }
        }
        return data
    }
}

extension RegularFile.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(_, let code): SystemError(code).description
        case .noScheme: "\(SystemError(ENOENT)); a URL begins with https:// or http://"
        case .notRegular: "not a regular file"
        case .folder: "a folder, not a picture; to browse it: alcedo FOLDER"
        case .tooLarge(let bytes, let limit): "\(bytes) bytes, more than the limit of \(limit)"
        case .changedWhileReading: "the file shrank while it was read"
        case .stopped: "cancelled"
        }
    }
}
