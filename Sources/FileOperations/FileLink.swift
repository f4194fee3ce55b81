import AlcedoCFiles
import AlcedoSupport
import Glibc

/// How a file becomes one with another that has the same bytes.
package enum FileLink: String, Sendable, Hashable, CaseIterable {
    /// Two names of one file.
    case hard
    /// A symbolic link to the absolute path.
    case sym
    /// A file of its own whose bytes lie on the disk once; few file systems can do it.
    case reflink
}

extension FileOperator {
    /// Replaces files by links to files with the same bytes; each is there before or after, never in part.
    ///
    /// A file whose bytes differ stays as it is, and is a failure. Nothing brings the files back.
    package func link(_ pairs: [(path: String, target: String)], as link: FileLink) -> FileOutcome {
        var outcome = FileOutcome()
        for (path, target) in pairs {
            do throws(FileProblem) {
                try Self.link(path, to: target, as: link)
                outcome.changes.append(FileChange(.deleted, from: path, to: path))
            } catch {
                outcome.failures.append(.init(path: path, reason: error.reason))
            }
        }
        return outcome
    }

    private static func link(_ path: String, to target: String, as link: FileLink) throws(FileProblem) {
        guard let old = FileStep.status(path, followsLink: false), let kept = FileStep.status(target) else {
            throw .system(ENOENT)
        }
        guard old.st_mode & S_IFMT == S_IFREG else { throw FileProblem("it is no file") }
        // Two names of one file need no other link.
        if old.st_ino == kept.st_ino, old.st_dev == kept.st_dev {
            if link == .hard { return }
            throw FileProblem("it is a hard link of \(target) already")
        }
        let files = [(path, old), (target, kept)].map {
            FilePlan.File(path: $0, bytes: Int($1.st_size), modified: $1.st_mtim.tv_sec)
        }
        guard old.st_size == kept.st_size, FilePlan.areEqual(files[0], files[1]) else {
            throw FileProblem("its bytes differ")
        }
        let part = path.pathFolder.inFolder(".alcedo-link-\(getpid())")
        _ = part.withPath { unlink($0) }
        do throws(FileProblem) {
            let status =
                switch link {
                case .hard: target.withPath { target in part.withPath { Glibc.link(target, $0) } }
                case .sym: target.withPath { target in part.withPath { symlink(target, $0) } }
                case .reflink: try clone(target, to: part, like: old)
                }
            guard status == 0 else { throw .system(errno) }
            guard part.withPath({ part in path.withPath { rename(part, $0) } }) == 0 else { throw .system(errno) }
        } catch {
            _ = part.withPath { unlink($0) }
            throw error.code == EXDEV ? FileProblem("it is on another file system than \(target)") : error
        }
    }

    private static func clone(_ target: String, to part: String, like old: stat) throws(FileProblem) -> Int32 {
        let source = target.withPath { open($0, O_RDONLY | O_CLOEXEC) }
        guard source >= 0 else { throw .system(errno) }
        defer { close(source) }
        let copy = part.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard copy >= 0 else { throw .system(errno) }
        defer { close(copy) }
        guard alcedo_clone(copy, source) == 0 else {
            let code = errno
            if [EOPNOTSUPP, EINVAL, ENOTTY, EXDEV].contains(code) {
                throw FileProblem("its file system has no reflinks")
            }
            throw .system(code)
        }
        _ = fchown(copy, old.st_uid, old.st_gid)
        _ = fchmod(copy, old.st_mode & 0o7777)
        _ = [old.st_atim, old.st_mtim].withUnsafeBufferPointer { futimens(copy, $0.baseAddress) }
        return 0
    }
}
