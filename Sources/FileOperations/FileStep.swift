import AlcedoCFiles
import AlcedoSupport
import Glibc

/// One step on one file.
enum FileStep {
    static func call(_ body: () -> Int32) throws(FileProblem) {
        guard body() == 0 else { throw .system(errno) }
    }

    static func status(_ path: String, followsLink: Bool = true) -> stat? {
        var status = stat()
        return path.withPath { followsLink ? stat($0, &status) : lstat($0, &status) } == 0 ? status : nil
    }

    /// Moves a file to a path where nothing is, also to another file system.
    ///
    /// - Parameter copying: Receives the copied part of a file; returning false gives it up: its part goes, the file stays.
    static func move(
        _ from: String, to: String, copying: (Double) -> Bool = { _ in true }
    ) throws(FileProblem) {
        do throws(FileProblem) { try rename(from, to) } catch {
            guard error.code == EXDEV else { throw error }
            guard status(from, followsLink: false).map({ $0.st_mode & S_IFMT }) != S_IFDIR else {
                throw FileProblem("a folder cannot be moved to another file system")
            }
            try copy(from, to: to, followsLink: false, copying: copying)
            do throws(FileProblem) { try call { from.withPath { unlink($0) } } } catch {
                _ = to.withPath { unlink($0) }
                throw error
            }
        }
    }

    private static func rename(_ from: String, _ to: String) throws(FileProblem) {
        if from.withPath({ from in to.withPath { alcedo_rename(from, $0) } }) == 0 { return }
        // Some file systems cannot rename without replacing; there this check has to be enough.
        guard errno == EINVAL || errno == ENOSYS else { throw .system(errno) }
        guard status(to, followsLink: false) == nil else { throw .system(EEXIST) }
        try call { from.withPath { from in to.withPath { Glibc.rename(from, $0) } } }
    }

    /// Copies a file to a path where nothing is, with its permissions and times; a link that is not followed is made
    /// again.
    static func copy(
        _ from: String, to: String, followsLink: Bool = true, copying: (Double) -> Bool = { _ in true }
    ) throws(FileProblem) {
        if !followsLink, let status = status(from, followsLink: false), status.st_mode & S_IFMT == S_IFLNK {
            var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = from.withPath { readlink($0, &target, target.count - 1) }
            guard count >= 0 else { throw .system(errno) }
            return try call { to.withPath { symlink(target, $0) } }
        }
        let (source, status) = try openRegular(from)
        defer { close(source) }
        guard self.status(to, followsLink: false) == nil else { throw .system(EEXIST) }
        try replaceOrCreate(to, like: source, status, replaces: false) { target throws(FileProblem) in
            try copyBytes(source, target, status.st_size, copying)
        }
    }

    /// Opens a regular file for reading.
    private static func openRegular(_ path: String) throws(FileProblem) -> (descriptor: Int32, status: stat) {
        let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw .system(errno) }
        var status = stat()
        do throws(FileProblem) {
            try call { fstat(descriptor, &status) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw FileProblem("it is not a regular file") }
        } catch {
            close(descriptor)
            throw error
        }
        return (descriptor, status)
    }

    /// Writes a file in one step: a hidden one beside it is filled, and gets its name then.
    ///
    /// It has the owner, the permissions and the extended attributes of another file, and its times unless it replaces the file at the path.
    private static func replaceOrCreate(
        _ path: String, like source: Int32, _ status: stat, replaces: Bool,
        _ fill: (Int32) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let (part, target) = try temporary(beside: path)
        defer { _ = part.withPath { unlink($0) } }
        do throws(FileProblem) {
            try fill(target)
            copyAttributes(source, target)
            // Only root may give files away.
            _ = fchown(target, status.st_uid, status.st_gid)
            try call { fchmod(target, status.st_mode & 0o777) }
            if !replaces { try call { futimens(target, [status.st_atim, status.st_mtim]) } }
            try call { fsync(target) }
        } catch {
            close(target)
            throw error
        }
        try call { close(target) }
        if replaces {
            // What another program wrote meanwhile is not lost.
            guard self.status(path).map(FileStamp.init) == FileStamp(status) else {
                throw FileProblem("it was changed meanwhile")
            }
            try call { part.withPath { part in path.withPath { Glibc.rename(part, $0) } } }
        } else {
            try rename(part, path)
        }
        sync(path.pathFolder)
    }

    /// The largest file that is rewritten: 512 MiB.
    private static let rewriteLimit = 512 << 20

    /// Replaces the contents of a regular file in one step; what a link leads to is rewritten.
    static func rewrite(
        _ path: String, _ body: ([UInt8]) throws(FileProblem) -> [UInt8]
    ) throws(FileProblem) {
        guard let real = path.withPath({ realpath($0, nil) }) else { throw .system(errno) }
        defer { free(real) }
        let path = String(pathCString: real)
        let (source, status) = try openRegular(path)
        defer { close(source) }
        guard status.st_nlink == 1 else { throw FileProblem("it has another name (a hard link), which would stay") }
        guard status.st_size <= rewriteLimit else { throw FileProblem("it is too large to be rewritten") }
        // Its folder may be writable where the file is not.
        try call { path.withPath { access($0, W_OK) } }
        let new = try body(try readAll(source, count: Int(status.st_size)))
        try replaceOrCreate(path, like: source, status, replaces: true) { target throws(FileProblem) in
            try writeAll(new[...], target)
        }
    }

    private static func readAll(_ source: Int32, count: Int) throws(FileProblem) -> [UInt8] {
        var (bytes, filled) = ([UInt8](repeating: 0, count: count), 0)
        while filled < count {
            let step = bytes[filled...].withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
            guard step > 0 else { throw step == 0 ? FileProblem("it became shorter") : .system(errno) }
            filled += step
        }
        return bytes
    }

    private static func writeAll(_ bytes: ArraySlice<UInt8>, _ target: Int32) throws(FileProblem) {
        var rest = bytes
        while !rest.isEmpty {
            let step = rest.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
            guard step > 0 else { throw .system(step == 0 ? ENOSPC : errno) }
            rest = rest.dropFirst(step)
        }
    }

    /// Writes a folder's names to the disk, as far as its file system can.
    private static func sync(_ folder: String) {
        let descriptor = folder.withPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Makes a hidden file in the folder of a path, and opens it.
    private static func temporary(beside path: String) throws(FileProblem) -> (path: String, descriptor: Int32) {
        for number in 0..<1_000 {
            let part = path.pathFolder.inFolder(".alcedo-\(getpid())-\(number)-\(machine)")
            let descriptor = part.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
            if descriptor >= 0 { return (part, descriptor) }
            guard errno == EEXIST else { break }
        }
        throw .system(errno)
    }

    /// A number for this machine, which tells whether the process that wrote a part can still be there.
    static let machine: String = {
        var name = utsname()
        uname(&name)
        let node = withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return String(StableHash.hash(node), radix: 16)
    }()

    /// The age from which a part of another machine's copy, or of an older version's, counts as left behind: an hour.
    private static let remainsAge = 3600

    /// Removes the parts of copies that killed processes left in a folder.
    static func removeRemains(in folder: String) {
        guard let entries = folder.withPath({ opendir($0) }) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(pathBytes: $0.prefix { $0 != 0 }) }
            let parts = name.split(separator: "-")
            guard (3...4).contains(parts.count), parts[0] == ".alcedo", let process = Int32(parts[1]),
                Int(parts[2]) != nil, process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            let path = folder.inFolder(name)
            // A process of another machine may write to the same folder.
            guard let status = status(path, followsLink: false), status.st_mode & S_IFMT == S_IFREG,
                parts.last.map(String.init) == machine || time(nil) - status.st_mtim.tv_sec > remainsAge
            else { continue }
            _ = path.withPath { unlink($0) }
        }
    }

    /// Copies extended attributes, such as tags, as far as both file systems have them.
    private static func copyAttributes(_ source: Int32, _ target: Int32) {
        var (names, value) = ([CChar](repeating: 0, count: 1 << 16), [UInt8](repeating: 0, count: 1 << 16))
        let count = flistxattr(source, &names, names.count)
        guard count > 0 else { return }
        for name in names[..<count].split(separator: 0) {
            let name = Array(name) + [0]
            let size = fgetxattr(source, name, &value, value.count)
            if size >= 0 { fsetxattr(target, name, value, size, 0) }
        }
    }

    private static func copyBytes(
        _ source: Int32, _ target: Int32, _ size: Int, _ copying: (Double) -> Bool
    ) throws(FileProblem) {
        var (buffer, copied) = ([UInt8](repeating: 0, count: 1 << 20), 0)
        while true {
            guard copying(min(1, Double(copied) / Double(max(1, size)))) else { throw FileProblem("it was stopped") }
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else { throw .system(errno) }
            try writeAll(buffer[..<count], target)
            copied += count
        }
    }
}
