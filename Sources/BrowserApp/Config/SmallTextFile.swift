import Foundation
import Glibc
import ImageLoading

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
        let bytes = try bytes()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .faulty(ConfigurationFault("not UTF-8", at: .firstBadByte(of: bytes)))
        }
        return text
    }

    private func bytes() throws(Problem) -> [UInt8] {
        do throws(RegularFile.Problem) { return Array(try RegularFile.read(path, limit: Self.maximumBytes)) } catch {
            switch error {
            case .system("open", let code):
                let reason = "cannot be opened: \(String(cString: strerror(code)))"
                throw code == ENOENT || code == ENOTDIR ? .missing(reason) : .unusable(reason)
            case .notRegular, .folder: throw .unusable("is not a plain file")
            case .tooLarge: throw .unusable("is larger than 1 MiB")
            case .system, .noScheme, .changedWhileReading, .stopped: throw .unusable("cannot be read: \(error)")
            }
        }
    }
}
