import Foundation
import GRDB
import Glibc

/// Tells a damaged index from one that cannot be reached, and sets a damaged one aside.
enum IndexDamage {
    static func isDamage(_ error: any Error) -> Bool {
        if error is PrivateFile.NotAFile { return true }
        guard let error = error as? DatabaseError else { return false }
        if error.resultCode == .SQLITE_ERROR, let message = error.message, DiskIndexSchema.isLacking(message) {
            return true
        }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode)
    }

    /// Whether it says that the tier takes nothing for now, whatever it is given.
    static func isTrouble(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN]
                .contains(error.resultCode.primaryResultCode)
        case BlobStore.Problem.system, is DiskStorage.NoRoom, is CacheFolderProblem: true
        default: false
        }
    }

    /// Whether the file system has no more room for us.
    static func isFull(_ error: any Error) -> Bool {
        switch error {
        // The second is what it says when what its processes share cannot grow.
        case let error as DatabaseError:
            error.resultCode.primaryResultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
        case BlobStore.Problem.system(_, let code): [ENOSPC, EDQUOT].contains(code)
        default: false
        }
    }

    /// Renames the index so that a new one can be begun; what is beside it belongs to the old one.
    ///
    /// Of two processes that find the same damage one does so: the other finds that it is done, or is told to come again.
    static func setAside(_ path: String, _ damaged: FileIdentity?) -> Bool {
        guard let lock = FolderLock((path as NSString).deletingLastPathComponent) else { return false }
        defer { withExtendedLifetime(lock) {} }
        guard FileIdentity(path) == damaged else { return true }
        removeFiles(path + ".damaged")
        // First the log: SQLite would take the old one for the new index's.
        _ = rename(path + "-wal", path + ".damaged-wal")
        unlink(path + "-shm")
        return rename(path, path + ".damaged") == 0
    }

    /// Removes an index with what is beside it.
    static func removeFiles(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    static func text(of error: any Error) -> String {
        switch error {
        case let error as DatabaseError where isFull(error): "no room is left on its file system"
        case let error as DatabaseError where isDamage(error):
            "its index is damaged: \(error.message ?? "SQLite error \(error.resultCode.rawValue)")"
        case let error as DatabaseError: error.message ?? "SQLite error \(error.resultCode.rawValue)"
        case let error as BlobStore.Problem: error.description
        case let error as CacheFolderProblem: error.description
        case let error as ImageError: error.title
        case is PrivateFile.NotAFile: "not a regular file"
        case is ContentTable.ContentGone: "the cache was cleared meanwhile"
        case is DiskIndexSchema.Foreign: "it is another program's database; move it away"
        case is WrongColumnType, is ContentPlace.WithoutStart:
            "a row of the index makes no sense; alcedo cache verify --repair removes it"
        case is DiskIndexSchema.TooNew: "a later version of the program wrote it"
        case let error as DiskStorage.NoRoom:
            "less than \(error.minimum >> 20) MiB of the file system would stay free"
        default: (error as NSError).localizedDescription
        }
    }
}
