import Foundation
import Glibc

/// Finds the cache's folder and makes it safe to use: ours, private, on a local file system.
public struct CacheFolder: Sendable, Hashable {
    /// The layout's version; another layout gets a folder of its own beside it.
    static let version = "v3"
    /// Layouts of versions that were never released; a sweep removes them.
    static let oldVersions = ["v1", "v2"]

    /// The folder itself; the cache lies in a folder within it that is named by the layout's version.
    public let path: String
    /// Folders of the cache that this one lies in, the outermost first.
    private let enclosing: [String]

    /// A folder that may not be there yet; nothing is looked at before a cache is opened in it.
    public init(path: String) { self.init(path: path, enclosing: []) }

    /// Whether something is there, be it a cache or not.
    public var exists: Bool { access(path, F_OK) == 0 }

    private init(path: String, enclosing: [String]) {
        self.path = path
        self.enclosing = enclosing
    }

    /// The folder of a cache of its own below this one; throws `.invalidName` for what can be no folder's name.
    ///
    /// A name has 1 to 64 bytes without slash and control characters, and begins with no dot.
    public func named(_ name: String) throws(CacheFolderProblem) -> CacheFolder {
        let isAllowed =
            (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
        guard isAllowed else { throw .invalidName(name) }
        return CacheFolder(path: "\(path)/named/\(name)", enclosing: enclosing + [path, "\(path)/named"])
    }

    /// `$ALCEDO_CACHE_DIR`, else `$XDG_CACHE_HOME/alcedo`, else `~/.cache/alcedo`; relative paths are ignored.
    public static func standard(environment: [String: String]) throws(CacheFolderProblem) -> CacheFolder {
        if let own = environment["ALCEDO_CACHE_DIR"], !own.isEmpty {
            guard own.hasPrefix("/") else { throw .relative(own) }
            return CacheFolder(path: own)
        }
        if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return CacheFolder(path: base + "/alcedo") }
        guard let home = environment["HOME"], home.hasPrefix("/") else { throw .noHome }
        return CacheFolder(path: home + "/.cache/alcedo")
    }

    var versioned: String { "\(path)/\(Self.version)" }
    var blobs: String { "\(versioned)/blobs" }
    var index: String { "\(versioned)/index.sqlite" }
    /// An empty file, whose bytes processes lock.
    var claims: String { "\(versioned)/claims" }

    /// Makes the folder when missing and checks it; the text of a problem says what to do.
    func prepare(allowNetworkFileSystem: Bool) throws(CacheFolderProblem) {
        if !allowNetworkFileSystem, let kind = fileSystemKind(), kind.isOfNetwork {
            throw .networkFileSystem(path: path, name: kind.name)
        }
        try makeParents()
        for folder in enclosing + [path, versioned, blobs] { try makePrivate(folder) }
        writeTag()
    }

    /// Whether it is there, ours and private, so that it can be read where it cannot be written to.
    var isReadable: Bool {
        (enclosing + [path, versioned, blobs]).allSatisfy { folder in
            (try? check(folder)) != nil && access(folder, R_OK | X_OK) == 0
        }
    }

    /// Removes what earlier layouts left, unless an older program has used it within a day.
    func removeOldVersions(now: Date) {
        for version in Self.oldVersions {
            let old = "\(path)/\(version)"
            guard BlobStore.isOld("\(old)/index.sqlite", now: now, after: 86_400) else { continue }
            try? FileManager.default.removeItem(atPath: old)
        }
    }

    /// What all but contents takes of the file system: the index, and the folders themselves; no caches within it.
    var bytesBesideContents: Int {
        [path, versioned, blobs].reduce(FreeSpace.bytesTaken(by: path)) { sum, folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.reduce(sum) { $0 + FreeSpace.bytesTaken(by: "\(folder)/\($1)") }
        }
    }

    private func makeParents() throws(CacheFolderProblem) {
        let parent = URL(filePath: enclosing.first ?? path).deletingLastPathComponent().path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotMake(path: parent, reason: Self.reason(of: error))
        }
    }

    private func makePrivate(_ folder: String) throws(CacheFolderProblem) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw .cannotMake(path: folder, reason: String(cString: strerror(errno)))
        }
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
        // Read to its end: the system hands such files out in pieces of a page.
        guard let table = try? FileHandle(forReadingAtPath: "/proc/self/mountinfo")?.readToEnd() else { return nil }
        let text = String(decoding: table, as: UTF8.self)
        let real = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        return MountTable(mountinfo: text).kind(holding: real)
    }

    /// Tells backup programs to pass the folder over (the Cache Directory Tagging Specification).
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

    private static func reason(of error: any Error) -> String {
        ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription
            ?? error.localizedDescription
    }
}

/// Why a folder cannot hold the cache.
public enum CacheFolderProblem: Error, Sendable, Equatable {
    /// There is no `HOME` to put it in.
    case noHome
    /// `ALCEDO_CACHE_DIR` is not an absolute path.
    case relative(String)
    /// It, or a folder that it lies in, cannot be made.
    case cannotMake(path: String, reason: String)
    /// It cannot be written to.
    case cannotWrite(path: String, reason: String)
    /// Something else stands in its place; links are not followed.
    case notAFolder(String)
    /// It belongs to another user.
    case foreign(String)
    /// Its group or everybody may write to it.
    case writableByOthers(String)
    /// It lies on a network file system, whose kind is the name.
    case networkFileSystem(path: String, name: String)
    /// Its file system has no room for what opening its index takes.
    case noRoom(String)
    /// Another process holds its index; what lies in it can be read.
    case locked(String)
    /// Its index cannot be opened.
    case index(path: String, reason: String)
    /// This can be no folder's name.
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
        case .noRoom(let path): "no room is left on the file system of the cache folder \(path)"
        case .locked(let path): "another process holds the index of the cache folder \(path)"
        case .index(let path, let reason): "cannot open the cache's index \(path): \(reason)"
        }
    }
}
