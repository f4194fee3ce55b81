import AlcedoCFiles
import AlcedoSupport
import Glibc

/// The trash of the desktop, which file managers show and empty.
///
/// A file stays on its file system: the trash of the home takes those of its own, others have one at their top.
/// Source: freedesktop.org, The Trash specification 1.0.
struct Trash: Sendable {
    let home: String
    let now: @Sendable () -> Int

    /// Moves a file to the trash.
    func take(_ path: String) throws(FileProblem) -> FileChange {
        guard let device = FileStep.status(path.pathFolder)?.st_dev else { throw .system(ENOENT) }
        let (folder, top) = try place(for: path, on: device)
        for part in ["files", "info"] { try makePrivate(folder.inFolder(part)) }
        let name = path.pathName
        let start = top.map { $0 == "/" ? 1 : $0.utf8.count + 1 } ?? 0
        let note = Self.note(of: String(decoding: path.utf8.dropFirst(start), as: UTF8.self), at: now())
        for number in 1...10_000 {
            let kept = number == 1 ? name : "\(name).\(number)"
            let file = folder.inFolder("info").inFolder("\(kept).trashinfo")
            // The note takes the name for the file.
            let descriptor = file.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw .system(errno) }
            let target = folder.inFolder("files").inFolder(kept)
            do throws(FileProblem) {
                defer { close(descriptor) }
                guard note.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == note.count else {
                    throw .system(errno)
                }
                try FileStep.move(path, to: target)
            } catch {
                _ = file.withPath { unlink($0) }
                if error.code == EEXIST { continue }
                throw error
            }
            return FileChange(.trashed(note: file), from: path, to: target)
        }
        throw .system(EEXIST)
    }

    /// Returns the trash for a file, and the top of its file system if that is not the trash of the home.
    private func place(for path: String, on device: dev_t) throws(FileProblem) -> (folder: String, top: String?) {
        if FileStep.status(home) == nil { try? makePrivate(home) }
        if FileStep.status(home)?.st_dev == device { return (home, nil) }
        var top = path.pathFolder
        while top != "/", FileStep.status(top.pathFolder)?.st_dev == device { top = top.pathFolder }
        let shared = top.inFolder(".Trash")
        if let status = FileStep.status(shared, followsLink: false), status.st_mode & S_IFMT == S_IFDIR,
            status.st_mode & S_ISVTX != 0, (try? makePrivate(shared.inFolder("\(getuid())"))) != nil
        {
            return (shared.inFolder("\(getuid())"), top)
        }
        let own = top.inFolder(".Trash-\(getuid())")
        do throws(FileProblem) { try makePrivate(own) } catch {
            throw FileProblem("its file system has no trash: \(error.reason)")
        }
        return (own, top)
    }

    /// Makes a folder of the user's own, and those on the way to it; a link or another user's folder is refused.
    private func makePrivate(_ path: String) throws(FileProblem) {
        if FileStep.status(path) == nil {
            let parent = path.pathFolder
            if parent != path, FileStep.status(parent) == nil { try makePrivate(parent) }
            guard path.withPath({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else { throw .system(errno) }
        }
        guard let status = FileStep.status(path, followsLink: false), status.st_mode & S_IFMT == S_IFDIR,
            status.st_uid == getuid()
        else { throw FileProblem("\(path) is not a folder of yours") }
    }

    private static func note(of path: String, at seconds: Int) -> [UInt8] {
        var (time, parts, text) = (time_t(seconds), tm(), [CChar](repeating: 0, count: 32))
        localtime_r(&time, &parts)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let date = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return Array("[Trash Info]\nPath=\(escaped(path))\nDeletionDate=\(date)\n".utf8)
    }

    /// Returns the bytes of a path with all but the plainest as percent signs and digits (RFC 2396).
    private static func escaped(_ path: String) -> String {
        path.pathBytes.map { byte in
            let isPlain = Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
            if isPlain || "/-_.~".utf8.contains(byte) { return String(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%\(byte < 16 ? "0" : "")\(digits)"
        }.joined()
    }
}
