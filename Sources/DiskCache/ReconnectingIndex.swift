import AlcedoSQLite
import AlcedoSupport
import FoundationEssentials
import Glibc
import Synchronization

/// The index of the cache, which is reopened when its file is replaced.
///
/// A user may remove the cache's folder, and another process may reset a damaged index; SQLite would keep using the old
/// file, which no other process sees. An index that could not be opened, or only for reading, is tried again every 5 s.
final class ReconnectingIndex: Sendable {
    private struct Opened {
        let index: DiskIndex
        let file: FileIdentity?
        private let log: FileIdentity?
        private let path: String
        private let logPath: String

        init(_ index: DiskIndex, _ path: String) {
            (self.index, self.path, logPath) = (index, path, path + "-wal")
            (file, log) = (FileIdentity(path), FileIdentity(logPath))
        }

        var isInPlace: Bool { file != nil && FileIdentity(path) == file }
        /// Whether the log is still the file that was opened, from which other processes read new rows.
        var hasItsLog: Bool { log == nil || FileIdentity(logPath) == log }
    }

    private enum State {
        case open(Opened)
        case readOnly(Opened, CacheFolderProblem, tried: Date)
        case closed(CacheFolderProblem, tried: Date)

        var problem: CacheFolderProblem? {
            switch self {
            case .open: nil
            case .readOnly(_, let problem, _), .closed(let problem, _): problem
            }
        }

        var isReadable: Bool { if case .closed = self { false } else { true } }
    }

    private let folder: CacheFolder
    private let allowsNetworkFileSystem: Bool
    private let blobs: BlobStore
    private let events: Broadcast<DiskCacheEvent>
    private let now: @Sendable () -> Date
    private let state: Mutex<State>
    /// A copy of the state's facts: opening may hold the state's lock for seconds, which must not block a screen.
    private let facts: Mutex<(problem: CacheFolderProblem?, isReadable: Bool)>
    /// The time at which a writer last failed to open an index that another process locks.
    private let failedWriterAttempt = Mutex<Date?>(nil)

    /// The minimum time between two attempts to open the index, in seconds.
    private static let retryInterval = 5.0

    /// Prepares the folder and opens its index; resets a damaged one.
    init(
        folder: CacheFolder, allowsNetworkFileSystem: Bool, blobs: BlobStore, events: Broadcast<DiskCacheEvent>,
        now: @escaping @Sendable () -> Date
    ) {
        (self.folder, self.allowsNetworkFileSystem, self.blobs) = (folder, allowsNetworkFileSystem, blobs)
        (self.events, self.now) = (events, now)
        let opening = Opening(folder: folder, allowsNetworkFileSystem: allowsNetworkFileSystem, blobs: blobs)
        let state = opening.state(isWriting: false, at: now())
        facts = Mutex((state.problem, state.isReadable))
        self.state = Mutex(state)
        if opening.hasReset.load(ordering: .relaxed) { recordReset() }
    }

    /// The reason why the index was not open at its last use; nil if it was open.
    var problem: CacheFolderProblem? { facts.withLock(\.problem) }

    /// Whether a damaged index was reset since this process opened it.
    var wasReset: Bool { resets.load(ordering: .relaxed) }

    private let resets = Atomic<Bool>(false)
    private let unreportedReset = Atomic<Bool>(false)

    /// Returns whether the index was reset since the last call.
    func consumeReset() -> Bool { unreportedReset.exchange(false, ordering: .relaxed) }

    private func recordReset() {
        resets.store(true, ordering: .relaxed)
        unreportedReset.store(true, ordering: .relaxed)
        events.send(.indexReset)
    }

    /// Whether entries can be read, even if there is a `problem`.
    var isReadable: Bool { facts.withLock(\.isReadable) }

    /// Returns the open index; opens it again if its file was replaced.
    ///
    /// Costs an `lstat` of the index and one of its log. An index without its log is reset, as no other process would
    /// see its new rows. A writer waits up to 5 s for a process that locks the index, a reader 1 s.
    ///
    /// - Throws: The reason why the index cannot be opened.
    func current(isWriting: Bool = false) throws(CacheFolderProblem) -> DiskIndex {
        let opening = Opening(folder: folder, allowsNetworkFileSystem: allowsNetworkFileSystem, blobs: blobs)
        return try state.withLock { [self] state throws(CacheFolderProblem) in
            let isForced = isWriting && mayForce(state.problem)
            switch state {
            case .open(let opened):
                if opened.isInPlace {
                    if opened.hasItsLog { return opened.index }
                    reset(opened)
                }
            case .readOnly(let opened, _, let tried):
                if !isForced, isRecent(tried) { return opened.index }
            case .closed(let problem, let tried):
                if !isForced, isRecent(tried) { throw problem }
            }
            state = opening.state(isWriting: isForced, at: now())
            facts.withLock { $0 = (state.problem, state.isReadable) }
            if opening.hasReset.load(ordering: .relaxed) { recordReset() }
            if isForced, state.problem != nil { failedWriterAttempt.withLock { $0 = now() } }
            switch state {
            case .open(let opened), .readOnly(let opened, _, _): return opened.index
            case .closed(let problem, _): throw problem
            }
        }
    }

    private func isRecent(_ date: Date) -> Bool { abs(now().timeIntervalSince(date)) < Self.retryInterval }

    /// Returns whether a writer may try again at once to open a locked index, which it may do once in 5 s.
    private func mayForce(_ problem: CacheFolderProblem?) -> Bool {
        guard case .locked = problem else { return false }
        return failedWriterAttempt.withLock { $0.map { !isRecent($0) } ?? true }
    }

    /// Resets a damaged index, unless it was reset already.
    func reset(_ damaged: DiskIndex) {
        state.withLock { state in
            guard case .open(let opened) = state, opened.index === damaged else { return }
            reset(opened)
        }
    }

    private func reset(_ opened: Opened) {
        if IndexDamage.reset(folder, opened.file) { recordReset() }
    }

    /// An attempt to open the index.
    private struct Opening: ~Copyable {
        let folder: CacheFolder
        let allowsNetworkFileSystem: Bool
        let blobs: BlobStore
        let hasReset = Atomic<Bool>(false)

        func state(isWriting: Bool, at now: Date) -> State {
            // A short time-out suffices for a reader, which can use a read-only index.
            let timeout = isWriting ? 5.0 : 1
            do throws(CacheFolderProblem) {
                try folder.prepare(allowNetworkFileSystem: allowsNetworkFileSystem)
                return .open(Opened(try index(timeout), folder.index))
            } catch {
                if let opened = readOnlyIndex(after: error, timeout) {
                    return .readOnly(opened, error, tried: now)
                }
                return .closed(error, tried: now)
            }
        }

        private func index(_ timeout: Double) throws(CacheFolderProblem) -> DiskIndex {
            let path = folder.index
            let file = FileIdentity(path)
            do {
                return try openFile(timeout)
            } catch let error where IndexDamage.isFull(error) {
                throw .noRoom(folder.path)
            } catch let error as SQLiteError where error.code == .busy {
                throw .locked(folder.path)
            } catch {
                guard IndexDamage.isDamage(error), IndexDamage.reset(folder, file) else {
                    throw .index(path: path, reason: IndexDamage.text(of: error))
                }
                hasReset.store(true, ordering: .relaxed)
                do { return try openFile(timeout) } catch {
                    throw .index(path: path, reason: IndexDamage.text(of: error))
                }
            }
        }

        private func openFile(_ timeout: Double) throws -> DiskIndex {
            try PrivateFile.prepare(folder.index)
            return try DiskIndex(path: folder.index, blobs: blobs, busyTimeout: timeout)
        }

        /// Returns a read-only index if the folder cannot be written to or another process locks the index; nil if it
        /// cannot be read either.
        private func readOnlyIndex(after problem: CacheFolderProblem, _ timeout: Double) -> Opened? {
            switch problem {
            case .cannotWrite, .index, .noRoom, .locked: break
            default: return nil
            }
            guard folder.isReadable, RegularFile.exists(folder.index),
                allowsNetworkFileSystem || folder.fileSystemKind()?.isOfNetwork != true
            else { return nil }
            let index = try? DiskIndex(path: folder.index, blobs: blobs, isReadOnly: true, busyTimeout: timeout)
            return index.map { Opened($0, folder.index) }
        }
    }
}

/// Classification of index errors, and the reset of a damaged index.
enum IndexDamage {
    static func isDamage(_ error: any Error) -> Bool {
        if error is PrivateFile.NotAFile { return true }
        guard let error = error as? SQLiteError else { return false }
        return switch error.code {
        case .corrupt, .notADatabase: true
        case .error: DiskIndexSchema.isLacking(error.message)
        default: false
        }
    }

    /// Returns whether the error means that the tier cannot store anything for now.
    static func isTrouble(_ error: any Error) -> Bool {
        switch error {
        case let error as SQLiteError:
            [.busy, .locked, .full, .inputOutput, .readOnly, .cannotOpen].contains(error.code)
        case BlobStore.Problem.system, is DiskStorage.InsufficientSpace, is CacheFolderProblem: true
        default: false
        }
    }

    /// Returns whether the error means that the file system is full.
    static func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as SQLiteError: error.isFull
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
        case let error as SQLiteError where isFull(error): "no room is left on its file system"
        case let error as SQLiteError where isDamage(error): "its index is damaged: \(error.message)"
        case let error as SQLiteError where error.code == .mismatch:
            "a row of the index makes no sense; alcedo cache verify --repair removes it"
        case let error as SQLiteError: error.message
        case let error as BlobStore.Problem: error.description
        case let error as CacheFolderProblem: error.description
        case let error as DiskCacheError: error.description
        case is PrivateFile.NotAFile: "not a regular file"
        case is ContentTable.ContentGone: "the cache was cleared meanwhile"
        case is DiskIndexSchema.Foreign: "it is another program's database; move it away"
        case is DiskIndexSchema.TooNew: "a later version of the program wrote it"
        case is DiskIndexSchema.TooOld:
            "an earlier version of the program wrote it; use it once where it can be written"
        case let error as DiskStorage.InsufficientSpace:
            "less than \(error.minimum >> 20) MiB of the file system would stay free"
        default: String(describing: error)
        }
    }
}

/// A lock on a folder that one process can hold; released with the value or at the end of the process.
final class FolderLock {
    private let folder: Int32

    /// Locks a folder; fails if another process holds the lock, or if the folder cannot be opened.
    init?(_ path: String) {
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    // Closing the folder releases the lock.
    deinit { if folder >= 0 { close(folder) } }
}

/// The device and inode of a file, which identify it whatever its name.
struct FileIdentity: Equatable {
    private let device: UInt
    private let inode: UInt

    /// Reads the identity of the file at a path without following links; nil if there is none.
    init?(_ path: String) {
        var status = stat()
        // Passing the string itself would copy it first.
        guard path.withCString({ lstat($0, &status) }) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
