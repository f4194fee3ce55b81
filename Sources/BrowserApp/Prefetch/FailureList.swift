import BrowserCore
import Foundation

/// A list of what failed that can be fed back, each reason as a comment above its line.
final class FailureList {
    private let handle: FileHandle

    /// Makes the file anew, readable by its owner only: addresses may hold secrets.
    init(path: String) throws(ProgramProblem) {
        let isMade = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let handle = FileHandle(forWritingAtPath: path) else {
            throw ProgramProblem("cannot write the failed list \(path): \(String(cString: strerror(errno)))")
        }
        self.handle = handle
    }

    func add(_ location: String, reason: String) {
        try? handle.write(contentsOf: Data("# \(SafeText.clean(reason))\n\(location)\n".utf8))
    }

    func close() { try? handle.close() }
}
