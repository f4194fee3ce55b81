import Foundation
import GRDB
import Glibc

/// Classification of index errors, and the reset of a damaged index.
enum IndexDamage {
    static func isDamage(_ error: any Error) -> Bool {
        if error is PrivateFile.NotAFile { return true }
        guard let error = error as? DatabaseError else { return false }
        if error.resultCode == .SQLITE_ERROR, let message = error.message, DiskIndexSchema.isLacking(message) {
            return true
        }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode)
    }

    /// Returns whether the error means that the tier cannot store anything for now.
    static func isTrouble(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN]
                .contains(error.resultCode.primaryResultCode)
        case BlobStore.Problem.system, is DiskStorage.NoRoom, is CacheFolderProblem: true
        default: false
        }
    }

    /// Returns whether the error means that the file system is full.
    static func isFull(_ error: any Error) -> Bool {
        switch error {
        // SQLite reports SHMSIZE when its shared-memory file cannot grow.
        case let error as DatabaseError:
            error.resultCode.primaryResultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
        case BlobStore.Problem.system(_, let code): [ENOSPC, EDQUOT].contains(code)
        default: false
        }
    }

    /// Moves a damaged index and its contents aside, so that the cache starts empty.
    ///
    /// A sweep deletes them later. If two processes find the same damage, only one resets the index.
    ///
    /// - Returns: Whether the damaged file is gone; false while another process holds the folder's lock.
    static func reset(_ folder: CacheFolder, _ damaged: FileIdentity?) -> Bool {
        guard let lock = FolderLock(folder.versioned) else { return false }
        defer { withExtendedLifetime(lock) {} }
        guard FileIdentity(folder.index) == damaged else { return true }
        // The log goes first: SQLite would apply it to the new index.
        for suffix in ["-wal", "-shm", ".damaged"] {
            try? FileManager.default.removeItem(atPath: folder.index + suffix)
        }
        guard rename(folder.index, folder.index + ".damaged") == 0 || errno == ENOENT else { return false }
        _ = try? BlobStore.setAside(folder.blobs)
        return true
    }

    static func text(of error: any Error) -> String {
        switch error {
        case let error as DatabaseError where isFull(error): "no room is left on its file system"
        case let error as DatabaseError where isDamage(error):
            "its index is damaged: \(error.message ?? "SQLite error \(error.resultCode.rawValue)")"
        case let error as DatabaseError: error.message ?? "SQLite error \(error.resultCode.rawValue)"
        case let error as BlobStore.Problem: error.description
        case let error as CacheFolderProblem: error.description
        case let error as DiskCacheError: error.description
        case is PrivateFile.NotAFile: "not a regular file"
        case is ContentTable.ContentGone: "the cache was cleared meanwhile"
        case is DiskIndexSchema.Foreign: "it is another program's database; move it away"
        case is WrongColumnType:
            "a row of the index makes no sense; alcedo cache verify --repair removes it"
        case is DiskIndexSchema.TooNew: "a later version of the program wrote it"
        case is DiskIndexSchema.TooOld:
            "an earlier version of the program wrote it; use it once where it can be written"
        case let error as DiskStorage.NoRoom:
            "less than \(error.minimum >> 20) MiB of the file system would stay free"
        default: (error as NSError).localizedDescription
        }
    }
}
