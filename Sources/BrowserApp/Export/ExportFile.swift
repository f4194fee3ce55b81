import Foundation
import Glibc

/// A file that is written atomically: to a temporary file beside it that is then renamed.
struct ExportFile {
    let path: String
    /// False never replaces a file, not even one that appears during the write.
    let mayReplace: Bool
    /// Advice appended to the message when the file exists, such as `; add --force to replace it`; none by default.
    var advice = ""

    /// Creates an export for the command line, where an option allows replacing files.
    static func onCommandLine(_ path: String, mayReplace: Bool) -> ExportFile {
        ExportFile(path: path, mayReplace: mayReplace, advice: "; add --force to replace it")
    }

    /// Throws if the file cannot be written.
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

    /// Writes the file; throws if a file is in the way or the disk is full, and then leaves nothing behind.
    func write(_ data: Data) throws(ProgramProblem) { try write { $0(data) } }

    /// Writes the file in pieces, for each of which `body` calls its argument.
    ///
    /// A file that is replaced keeps its permissions.
    func write(
        _ body: (_ write: (Data) -> Void) throws(ProgramProblem) -> Void
    ) throws(ProgramProblem) {
        let temporary = folder + "/.alcedo-export-\(UUID().uuidString)"
        // 0o666, because the umask removes the permissions that the user does not want.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw problem() }
        defer { unlink(temporary) }
        var status = stat()
        if mayReplace, stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
        var failure: ProgramProblem?
        do throws(ProgramProblem) {
            try body { data in
                if failure == nil, Console.writeAll(data, to: descriptor) != 0 { failure = problem() }
            }
        } catch { failure = failure ?? error }
        if failure == nil, fsync(descriptor) != 0 { failure = problem() }
        if close(descriptor) != 0 { failure = failure ?? problem() }
        if let failure { throw failure }
        try move(temporary)
    }

    private var folder: String {
        let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        return parent.isEmpty ? "." : parent
    }

    private func move(_ temporary: String) throws(ProgramProblem) {
        if !mayReplace {
            // `link`, unlike `rename`, fails if the file exists.
            if link(temporary, path) == 0 { return }
            if errno == EEXIST { throw ProgramProblem(existing) }
            // Some file systems have no hard links; there this check has to be enough.
            var status = stat()
            if lstat(path, &status) == 0 { throw ProgramProblem(existing) }
        }
        guard rename(temporary, path) == 0 else { throw problem() }
    }

    private func problem() -> ProgramProblem {
        ProgramProblem("cannot write \(path): \(String(cString: strerror(errno)))")
    }

    private var existing: String { "\(path) exists\(advice)" }
}
