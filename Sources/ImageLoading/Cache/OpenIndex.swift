import Glibc
import Synchronization

/// The cache's index as long as its file is the one that was opened; opened anew when it is not.
///
/// Someone may remove the cache's folder, another process may set a damaged index aside: SQLite would go on with a
/// file that nobody else sees.
final class OpenIndex: Sendable {
    private struct File: Equatable {
        let device: UInt
        let inode: UInt

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
        }
    }

    private struct Opened {
        let index: DiskIndex
        let file: File?
    }

    private let folder: CacheFolder
    private let allowsNetworkFileSystem: Bool
    private let release: @Sendable (String) -> Void
    private let opened: Mutex<Opened>

    /// Makes the folder ready and opens its index; a damaged one is set aside and begun anew.
    init(
        folder: CacheFolder, allowsNetworkFileSystem: Bool, release: @escaping @Sendable (String) -> Void
    ) throws(CacheFolderProblem) {
        self.folder = folder
        self.allowsNetworkFileSystem = allowsNetworkFileSystem
        self.release = release
        opened = Mutex(try Self.open(folder, allowsNetworkFileSystem, release))
    }

    /// The index, whose file stands at its place; throws why none can be had.
    ///
    /// Costs one look at the file.
    func current() throws(CacheFolderProblem) -> DiskIndex {
        let (folder, allows, release) = (folder, allowsNetworkFileSystem, release)
        return try opened.withLock { opened throws(CacheFolderProblem) in
            if let file = File(folder.index), file == opened.file { return opened.index }
            opened = try Self.open(folder, allows, release)
            return opened.index
        }
    }

    /// Sets an index aside that turned out to be damaged, unless that was done already.
    func setAside(_ damaged: DiskIndex) {
        let path = folder.index
        opened.withLock { opened in
            if opened.index === damaged, File(path) == opened.file { _ = IndexDamage.setAside(path) }
        }
    }

    private static func open(
        _ folder: CacheFolder, _ allowsNetworkFileSystem: Bool, _ release: @escaping @Sendable (String) -> Void
    ) throws(CacheFolderProblem) -> Opened {
        try folder.prepare(allowNetworkFileSystem: allowsNetworkFileSystem)
        let path = folder.index
        do {
            return try open(path, release)
        } catch {
            guard IndexDamage.isDamage(error), IndexDamage.setAside(path) else {
                throw .index(path: path, reason: IndexDamage.text(of: error))
            }
        }
        do { return try open(path, release) } catch { throw .index(path: path, reason: IndexDamage.text(of: error)) }
    }

    private static func open(_ path: String, _ release: @escaping @Sendable (String) -> Void) throws -> Opened {
        try PrivateFile.prepare(path)
        return Opened(index: try DiskIndex(path: path, release: release), file: File(path))
    }
}
