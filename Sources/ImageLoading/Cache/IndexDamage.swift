import Foundation
import GRDB

/// Tells a damaged index from one that cannot be reached, and sets a damaged one aside.
enum IndexDamage {
    static func isDamage(_ error: any Error) -> Bool {
        if error is PrivateFile.NotAFile { return true }
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode)
    }

    /// Renames the index so that a new one can be begun; what is beside it belongs to the old one.
    static func setAside(_ path: String) -> Bool {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try? FileManager.default.removeItem(atPath: path + ".damaged")
        return (try? FileManager.default.moveItem(atPath: path, toPath: path + ".damaged")) != nil
    }

    static func text(of error: any Error) -> String {
        switch error {
        case let error as DatabaseError: error.message ?? "SQLite error \(error.resultCode.rawValue)"
        case let error as BlobStore.Problem: error.description
        case let error as CacheFolderProblem: error.description
        case let error as ImageError: error.title
        case is PrivateFile.NotAFile: "not a regular file"
        case is DiskIndex.ContentGone: "the cache was cleared meanwhile"
        case let error as DiskStorage.NoRoom:
            "less than \(error.minimum >> 20) MiB of the file system would stay free"
        default: (error as NSError).localizedDescription
        }
    }
}
