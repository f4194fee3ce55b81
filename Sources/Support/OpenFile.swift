import AlcedoCFiles
import FoundationEssentials
import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable {
    /// The value of `errno`.
    package let code: Int32

    package init(_ code: Int32 = errno) { self.code = code }
}

extension SystemError: CustomStringConvertible {
    /// The system's message, beginning with a small letter like all other reasons.
    package var description: String {
        let words = String(cString: strerror(code))
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// Returns the reason of a failure of files: the system's message, if an error of Foundation holds one.
    package static func reason(of error: any Error) -> String {
        let inner = (error as? CocoaError)?.underlying ?? error
        return switch inner {
        case let error as POSIXError: SystemError(error.code.rawValue).description
        case let error as CocoaError: error.code == .fileNoSuchFile ? SystemError(ENOENT).description : "\(error.code)"
        default: "\(inner)"
        }
    }
}

/// An open file, pipe or device, which is closed with the value.
package final class OpenFile: Sendable {
    package let descriptor: Int32

    /// Takes over a descriptor.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a file for reading; waits for the writer of a pipe.
    package convenience init(reading path: String) throws(SystemError) {
        let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw SystemError() }
        self.init(descriptor)
    }

    deinit { close(descriptor) }

    /// Creates a pipe.
    package static func pipe() throws(SystemError) -> (reading: OpenFile, writing: OpenFile) {
        var ends: [Int32] = [-1, -1]
        guard alcedo_pipe(&ends) == 0 else { throw SystemError() }
        return (OpenFile(ends[0]), OpenFile(ends[1]))
    }

    /// Reads up to `count` bytes, as many as one system call gives; no bytes at the end.
    package func read(upTo count: Int) throws(SystemError) -> Data { try Self.read(descriptor, upTo: count) }

    /// Reads to the end, at most `limit` bytes.
    package func readToEnd(limit: Int = .max) throws(SystemError) -> Data {
        var data = Data()
        while data.count < limit {
            let block = try read(upTo: min(64 << 10, limit - data.count))
            if block.isEmpty { break }
            data += block
        }
        return data
    }

    /// Reads up to `count` bytes of a descriptor that stays open, such as standard input.
    package static func read(_ descriptor: Int32, upTo count: Int) throws(SystemError) -> Data {
        var data = Data(count: count)
        while true {
            let got = data.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, count) }
            if got >= 0 { return data.prefix(got) }
            guard errno == EINTR else { throw SystemError() }
        }
    }

    /// Writes all bytes.
    package func write(_ data: Data) throws(SystemError) {
        var done = 0
        while done < data.count {
            let count = data.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            }
            guard count >= 0 || errno == EINTR else { throw SystemError() }
            done += max(0, count)
        }
    }
}
