import AlcedoSupport
import FoundationEssentials
import Glibc

/// The folder of the cache, which must be the user's own, private and on a local file system.
public struct CacheFolder: Sendable, Hashable {
    /// The version of the layout; each layout has its own subfolder.
    static let version = "v3"

    /// The path of the folder; the cache lies in a subfolder that is named by the layout's version.
    public let path: String
    /// The cache folders that contain this one, the outermost first.
    private let enclosing: [String]

    /// Creates a value without access to the file system; the folder need not exist.
    public init(path: String) { self.init(path: path, enclosing: []) }

    /// Whether anything exists at the path, even if it is not a cache.
    package var exists: Bool { access(path, F_OK) == 0 }

    private init(path: String, enclosing: [String]) {
        self.path = path
        self.enclosing = enclosing
    }

    /// Returns the folder of a named cache below this one.
    ///
    /// - Parameter name: 1 to 64 bytes without slashes and control characters; the first is not a dot.
    /// - Throws: `.invalidName` for other names.
    package func named(_ name: String) throws(CacheFolderProblem) -> CacheFolder {
        let isAllowed =
            (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
        guard isAllowed else { throw .invalidName(name) }
        return CacheFolder(path: "\(path)/named/\(name)", enclosing: enclosing + [path, "\(path)/named"])
    }

    /// Returns the default folder of an application: `$XDG_CACHE_HOME/application`, else `~/.cache/application`.
    ///
    /// A relative `XDG_CACHE_HOME` is ignored.
    ///
    /// - Parameter application: The name of the folder; by default, that of the program's file.
    /// - Throws: `.noHome` if there is no absolute `HOME` to fall back on, `.invalidName` if the name is not one.
    public static func standard(
        environment: [String: String], application: String = ProcessInfo.processInfo.processName
    ) throws(CacheFolderProblem) -> CacheFolder {
        guard !application.isEmpty, !application.hasPrefix("."), !application.contains("/") else {
            throw .invalidName(application)
        }
        if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") {
            return CacheFolder(path: "\(base)/\(application)")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { throw .noHome }
        return CacheFolder(path: "\(home)/.cache/\(application)")
    }

    /// Returns the folder of the program `alcedo`: `$ALCEDO_CACHE_DIR`, else the default folder.
    ///
    /// - Throws: `.relative` for a relative `ALCEDO_CACHE_DIR`.
    package static func ofAlcedo(environment: [String: String]) throws(CacheFolderProblem) -> CacheFolder {
        guard let own = environment["ALCEDO_CACHE_DIR"], !own.isEmpty else {
            return try standard(environment: environment, application: "alcedo")
        }
        guard own.hasPrefix("/") else { throw .relative(own) }
        return CacheFolder(path: own)
    }

    /// Whether it holds a cache of this version.
    package var holdsCache: Bool { access(index, F_OK) == 0 }

    var versioned: String { "\(path)/\(Self.version)" }
    var blobs: String { "\(versioned)/blobs" }
    var index: String { "\(versioned)/index.sqlite" }
    /// The path of an empty file whose bytes processes lock.
    var claims: String { "\(versioned)/claims" }

    /// Creates the folder if it is missing, and checks it.
    ///
    /// - Throws: A problem whose description says how to solve it.
    func prepare(allowNetworkFileSystem: Bool) throws(CacheFolderProblem) {
        if !allowNetworkFileSystem, let kind = fileSystemKind(), kind.isOfNetwork {
            throw .networkFileSystem(path: path, name: kind.name)
        }
        try makeParents(of: enclosing.first ?? path)
        for folder in enclosing + [path, versioned, blobs] { try makePrivate(folder) }
        writeTag()
    }

    /// Whether the folder exists, is the user's own and private, and can be read, even if it cannot be written to.
    var isReadable: Bool {
        (enclosing + [path, versioned, blobs]).allSatisfy { folder in
            (try? check(folder)) != nil && access(folder, R_OK | X_OK) == 0
        }
    }

    /// The disk usage of everything except contents, in bytes: the index and the folders, without named caches.
    var bytesBesideContents: Int {
        [path, versioned, blobs].reduce(FreeSpace.bytesTaken(by: path)) { sum, folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.reduce(sum) { $0 + FreeSpace.bytesTaken(by: "\(folder)/\($1)") }
        }
    }

    private func makeParents(of folder: String) throws(CacheFolderProblem) {
        let parent = folder.pathFolder
        guard access(parent, F_OK) != 0 else { return }
        try makeParents(of: parent)
        try make(parent)
    }

    private func make(_ folder: String) throws(CacheFolderProblem) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw .cannotMake(path: folder, reason: String(cString: strerror(errno)))
        }
    }

    private func makePrivate(_ folder: String) throws(CacheFolderProblem) {
        try make(folder)
        try check(folder)
        guard access(folder, W_OK | X_OK) == 0 else {
            throw .cannotWrite(path: folder, reason: String(cString: strerror(errno)))
        }
    }

    private func check(_ folder: String) throws(CacheFolderProblem) {
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            throw .cannotMake(path: folder, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(folder) }
        guard status.st_uid == geteuid() else { throw .foreign(folder) }
        guard status.st_mode & 0o022 == 0 else { throw .writableByOthers(folder) }
    }

    func fileSystemKind() -> FileSystemKind? {
        guard let table = try? Data(contentsOf: URL(filePath: "/proc/self/mountinfo")) else { return nil }
        let text = String(decoding: table, as: UTF8.self)
        let real = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        return MountTable(mountinfo: text).kind(holding: real)
    }

    /// Writes the tag that tells backup programs to skip the folder (Cache Directory Tagging Specification).
    private func writeTag() {
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # This folder holds alcedo's cache; it may be removed.

            """
        let descriptor = open("\(path)/CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = text.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
    }
}

/// The reason why a folder cannot hold the cache.
public enum CacheFolderProblem: Error, Sendable, Equatable {
    /// `HOME` is not set.
    case noHome
    /// `ALCEDO_CACHE_DIR` is not an absolute path.
    case relative(String)
    /// The folder, or one that contains it, cannot be created.
    case cannotMake(path: String, reason: String)
    /// The folder cannot be written to.
    case cannotWrite(path: String, reason: String)
    /// The path is not a folder; links are not followed.
    case notAFolder(String)
    /// The folder belongs to another user.
    case foreign(String)
    /// The group or everybody may write to the folder.
    case writableByOthers(String)
    /// The folder lies on a network file system, whose type is `name`.
    case networkFileSystem(path: String, name: String)
    /// The file system is too full to open the index.
    case noRoom(String)
    /// Another process locks the index; entries can still be read.
    case locked(String)
    /// The index cannot be opened.
    case index(path: String, reason: String)
    /// The name of a named cache is not valid.
    case invalidName(String)
}

extension CacheFolderProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noHome: "no place for the disk cache: HOME is not set; set ALCEDO_CACHE_DIR to a folder"
        case .relative(let path): "ALCEDO_CACHE_DIR must be an absolute path, not \(path)"
        case .cannotMake(let path, let reason): "cannot make the cache folder \(path): \(reason)"
        case .cannotWrite(let path, let reason): "cannot write to the cache folder \(path): \(reason)"
        case .notAFolder(let path): "the cache folder \(path) is not a folder; links are not followed"
        case .foreign(let path): "the cache folder \(path) belongs to another user"
        case .writableByOthers(let path): "the cache folder \(path) is writable by others; run: chmod go-w \(path)"
        case .networkFileSystem(let path, let name):
            "the cache folder \(path) is on a network file system (\(name)); set ALCEDO_CACHE_DIR to a local folder"
        case .invalidName(let name):
            "\(name.debugDescription) cannot be a cache's name: 1 to 64 bytes, no slash, no dot at the beginning"
        case .noRoom(let path):
            "no room is left on the file system of the cache folder \(path); free some, or run: alcedo cache clear"
        case .locked(let path): "another process holds the index of the cache folder \(path)"
        case .index(let path, let reason): "cannot open the cache's index \(path): \(reason)"
        }
    }
}

/// The mounted file systems, as `/proc/self/mountinfo` lists them (proc(5)).
///
/// Swift's Glibc module has no `statfs`.
struct MountTable: Sendable {
    private let mounts: [(point: String, type: String)]

    init(mountinfo: String) {
        mounts = mountinfo.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, let separator = fields.firstIndex(of: "-"), separator + 1 < fields.count
            else { return nil }
            return (Self.unescaped(fields[4]), String(fields[separator + 1]))
        }
    }

    /// Returns a field with the octal escapes of space, tab, newline and backslash decoded.
    private static func unescaped(_ field: Substring) -> String {
        guard field.utf8.contains(UInt8(ascii: "\\")) else { return String(field) }
        return [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(String(field)) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    /// Returns the kind of the file system that holds a path; nil if the table has none.
    func kind(holding path: String) -> FileSystemKind? {
        let holding = mounts.filter { path == $0.point || path.hasPrefix($0.point == "/" ? "/" : $0.point + "/") }
        // Of several mounts on one point, the last one is visible.
        let nearest = holding.enumerated().max {
            ($0.element.point.count, $0.offset) < ($1.element.point.count, $1.offset)
        }
        return nearest.map { FileSystemKind(name: $0.element.type) }
    }
}

/// A type of file system, named as the kernel names it.
struct FileSystemKind: Sendable, Hashable {
    let name: String

    /// Whether the file system is a network file system, which several machines may share.
    var isOfNetwork: Bool { Self.ofNetworks.contains(name) }

    private static let ofNetworks: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "gpfs", "ncpfs",
        "fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs2",
    ]
}

/// The free and used space of file systems.
@usableFromInline
package enum FreeSpace {
    /// Returns the number of bytes that this process may still write to a folder's file system, by statvfs(3); nil if
    /// unknown.
    @usableFromInline @Sendable package static func bytes(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }

    /// Returns the number of bytes that a file takes on its file system; 0 if it does not exist.
    static func bytesTaken(by path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }
}

/// Files that only their owner may read, whatever the umask.
enum PrivateFile {
    /// The path exists and is not a regular file.
    struct NotAFile: Error {}

    /// Creates an empty file if nothing exists at the path, and removes the rights of others from an existing one.
    ///
    /// An existing file is not opened: closing a second descriptor of SQLite's file would drop SQLite's locks.
    ///
    /// - Throws: `NotAFile` for a link, a folder, a pipe or a device.
    static func prepare(_ path: String) throws(NotAFile) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw NotAFile() }
        if status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
    }
}
