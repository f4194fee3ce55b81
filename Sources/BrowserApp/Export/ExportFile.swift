import Foundation
import Glibc

/// A file that is there whole or not at all: written under another name beside it, then put in its place.
struct ExportFile {
    let path: String
    /// False never replaces a file, not even one that appears meanwhile.
    let mayReplace: Bool
    /// How to go on when there is a file already, as `; say …`; nothing by default.
    var advice = ""

    /// For the command line, where an option replaces files.
    static func onCommandLine(_ path: String, mayReplace: Bool) -> ExportFile {
        ExportFile(path: path, mayReplace: mayReplace, advice: "; add --force to replace it")
    }

    /// Throws when the file could not be written anyway.
    func check() throws(ProgramProblem) {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard mayReplace else { throw ProgramProblem(existing) }
            guard [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else {
                throw ProgramProblem("\(path) is not a regular file")
            }
        }
        guard access(folder, W_OK) == 0 else { throw problem() }
    }

    /// Throws when something is in the way or the disk has no room; nothing is left behind then.
    func write(_ data: Data) throws(ProgramProblem) {
        let temporary = folder + "/.alcedo-export-\(UUID().uuidString)"
        // The umask takes away what the user does not want.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw problem() }
        defer { unlink(temporary) }
        let isWritten = Self.write(data, to: descriptor) && fsync(descriptor) == 0
        let problem = problem()
        guard close(descriptor) == 0, isWritten else { throw problem }
        try move(temporary)
    }

    private var folder: String {
        let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        return parent.isEmpty ? "." : parent
    }

    private func move(_ temporary: String) throws(ProgramProblem) {
        if !mayReplace {
            // A link, other than a rename, fails when there is something.
            if link(temporary, path) == 0 { return }
            if errno == EEXIST { throw ProgramProblem(existing) }
            // Some file systems know no links; there the look must do.
            var status = stat()
            if lstat(path, &status) == 0 { throw ProgramProblem(existing) }
        }
        guard rename(temporary, path) == 0 else { throw problem() }
    }

    private static func write(_ data: Data, to descriptor: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let wrote = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if wrote < 0, errno == EINTR { continue }
                guard wrote > 0 else { return false }
                done += wrote
            }
            return true
        }
    }

    private func problem() -> ProgramProblem {
        ProgramProblem("cannot write \(path): \(String(cString: strerror(errno)))")
    }

    private var existing: String { "\(path) exists\(advice)" }
}
