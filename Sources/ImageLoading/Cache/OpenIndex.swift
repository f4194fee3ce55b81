import Foundation
import GRDB
import Glibc
import Synchronization

/// The cache's index as long as its file is the one that was opened; opened anew when it is not.
///
/// Someone may remove the cache's folder, another process may set a damaged index aside: SQLite would go on with a
/// file that nobody else sees. Where it could not be opened, or for reading only, that is tried again every few seconds.
final class OpenIndex: Sendable {
    private struct Opened {
        let index: DiskIndex
        let mayHang: Bool
        let file: FileIdentity?
        /// Of the log, which others read what was just written from.
        private let log: FileIdentity?
        private let path: String
        private let logPath: String

        init(_ index: DiskIndex, _ path: String, mayHang: Bool) {
            (self.index, self.path, logPath) = (index, path, path + "-wal")
            self.mayHang = mayHang
            (file, log) = (FileIdentity(path), FileIdentity(logPath))
        }

        var isInItsPlace: Bool { file != nil && FileIdentity(path) == file }
        var hasItsLog: Bool { log == nil || FileIdentity(logPath) == log }
    }

    private enum State {
        case open(Opened)
        /// For reading only.
        case readable(Opened, CacheFolderProblem, tried: Date)
        case closed(CacheFolderProblem, tried: Date)

        var problem: CacheFolderProblem? {
            switch self {
            case .open: nil
            case .readable(_, let problem, _), .closed(let problem, _): problem
            }
        }

        var isReadable: Bool { if case .closed = self { false } else { true } }

        var mayHang: Bool {
            switch self {
            case .open(let opened), .readable(let opened, _, _): opened.mayHang
            case .closed(.silent, _): true
            case .closed: false
            }
        }
    }

    private struct Facts {
        var problem: CacheFolderProblem?
        var isReadable = false
        var threads: FolderThreads?
    }

    private let folder: CacheFolder
    private let path: String
    private let allowsNetworkFileSystem: Bool
    private let store: ContentStore
    private let now: @Sendable () -> Date
    private let probe: FolderProbe
    /// When one who writes last tried in vain.
    private let vainTry = Mutex<Date?>(nil)
    private let givenThreads: FolderThreads?
    private let state: Mutex<State>
    /// What is asked of it without waiting for `state`, which may be held by one who hangs.
    private let facts: Mutex<Facts>

    /// How long after it could not be opened that is tried again, in seconds.
    private static let pause = 5.0

    /// Makes the folder ready and opens its index; a damaged one is set aside and begun anew.
    ///
    /// A file system that does not answer the probe is left alone. `threads` is for one that may hang although the
    /// system does not say so.
    init(
        folder: CacheFolder, allowsNetworkFileSystem: Bool, store: ContentStore, probe: FolderProbe,
        threads: FolderThreads? = nil, now: @escaping @Sendable () -> Date
    ) {
        self.folder = folder
        path = folder.index
        self.allowsNetworkFileSystem = allowsNetworkFileSystem
        self.store = store
        self.probe = probe
        self.now = now
        givenThreads = threads
        facts = Mutex(Facts(threads: threads))
        let state = Self.open(folder, allowsNetworkFileSystem, store, probe, now(), isWriting: false)
        self.state = Mutex(state)
        note(state)
    }

    /// Why it was not open when it was last used, or cannot be used now; nil when it can.
    var problem: CacheFolderProblem? { probe.isSilent ? .silent(folder.path) : facts.withLock(\.problem) }

    /// Whether what it holds can be read, be there a problem or not.
    var isReadable: Bool { !probe.isSilent && facts.withLock(\.isReadable) }

    /// Where the folder is to be worked on; nil for any thread, as it does not hang.
    var threads: FolderThreads? { facts.withLock(\.threads) }

    private func note(_ state: State) {
        let (folder, probe, given) = (folder, probe, givenThreads)
        facts.withLock { facts in
            facts.problem = state.problem
            facts.isReadable = state.isReadable
            if !state.mayHang {
                facts.threads = given
            } else if facts.threads == nil {
                facts.threads = FolderThreads(path: folder.path, probe: probe)
            }
        }
    }

    /// The index, whose file stands at its place; throws why none can be had.
    ///
    /// Costs a look at each of its two files. One whose log is gone is set aside: nobody else would see what it writes.
    /// Who is writing waits for one who holds it, and contents go where the file system has no room for it; who only reads
    /// does neither.
    func current(isWriting: Bool = false) throws(CacheFolderProblem) -> DiskIndex {
        let (folder, path, allows, store, probe, now) = (folder, path, allowsNetworkFileSystem, store, probe, now)
        return try state.withLock { [self] state throws(CacheFolderProblem) in
            let isForced = isWriting && mayForce(state.problem)
            switch state {
            case .open(let opened):
                if opened.isInItsPlace {
                    if opened.hasItsLog { return opened.index }
                    _ = IndexDamage.setAside(path, opened.file)
                }
            case .readable(let opened, _, let tried):
                if !isForced, abs(now().timeIntervalSince(tried)) < Self.pause { return opened.index }
            case .closed(let problem, let tried):
                if !isForced, abs(now().timeIntervalSince(tried)) < Self.pause { throw problem }
            }
            state = Self.open(folder, allows, store, probe, now(), isWriting: isForced)
            note(state)
            if isForced, state.problem != nil { vainTry.withLock { $0 = now() } }
            switch state {
            case .open(let opened), .readable(let opened, _, _): return opened.index
            case .closed(let problem, _): throw problem
            }
        }
    }

    /// Whether one who writes may do more than to ask for it: not again and again.
    private func mayForce(_ problem: CacheFolderProblem?) -> Bool {
        switch problem {
        case .noRoom, .locked: break
        default: return false
        }
        let moment = now()
        return vainTry.withLock { $0.map { abs(moment.timeIntervalSince($0)) >= Self.pause } ?? true }
    }

    /// Sets an index aside that turned out to be damaged, unless that was done already.
    func setAside(_ damaged: DiskIndex) {
        let path = path
        state.withLock { state in
            guard case .open(let opened) = state, opened.index === damaged else { return }
            _ = IndexDamage.setAside(path, opened.file)
        }
    }

    /// Whoever has waited for a lock in vain does not wait as long again in order to read.
    private static func open(
        _ folder: CacheFolder, _ allowsNetworkFileSystem: Bool, _ store: ContentStore, _ probe: FolderProbe,
        _ now: Date, isWriting: Bool
    ) -> State {
        // Who only looks can read meanwhile.
        let patience = LockPatience(seconds: isWriting ? 5 : 1)
        do throws(CacheFolderProblem) {
            guard probe.answers() else { throw .silent(folder.path) }
            let kind = try folder.prepare(allowNetworkFileSystem: allowsNetworkFileSystem)
            let index = try open(folder, store, patience, now, isWriting: isWriting)
            patience.lengthen()
            return .open(Opened(index, folder.index, mayHang: kind?.isServed ?? false))
        } catch {
            if let opened = openForReading(folder, allowsNetworkFileSystem, store, patience, after: error) {
                return .readable(opened, error, tried: now)
            }
            return .closed(error, tried: now)
        }
    }

    /// The index of a folder that cannot be written to, or that another holds; nil where it cannot be read either.
    private static func openForReading(
        _ folder: CacheFolder, _ allowsNetworkFileSystem: Bool, _ store: ContentStore, _ patience: LockPatience,
        after problem: CacheFolderProblem
    ) -> Opened? {
        switch problem {
        case .cannotWrite, .index, .noRoom, .locked: break
        default: return nil
        }
        guard folder.isReadable, RegularFile.exists(folder.index) else { return nil }
        let kind = folder.fileSystemKind()
        guard allowsNetworkFileSystem || kind?.isOfNetwork != true else { return nil }
        let index = try? DiskIndex(path: folder.index, store: store, isReadOnly: true, patience: patience)
        return index.map { Opened($0, folder.index, mayHang: kind?.isServed ?? false) }
    }

    private static func open(
        _ folder: CacheFolder, _ store: ContentStore, _ patience: LockPatience, _ now: Date, isWriting: Bool
    ) throws(CacheFolderProblem) -> DiskIndex {
        let path = folder.index
        let file = FileIdentity(path)
        do {
            return try openFile(path, store, patience)
        } catch let error where IndexDamage.isFull(error) {
            let lost = isWriting ? IndexRoom(path: path, store: store).make(now: now) : []
            guard !lost.isEmpty else { throw .noRoom(folder.path) }
            let index = try openAgain(path, store, patience)
            index.evict(lost)
            return index
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw .locked(folder.path)
        } catch {
            guard IndexDamage.isDamage(error), IndexDamage.setAside(path, file) else {
                throw .index(path: path, reason: IndexDamage.text(of: error))
            }
            return try openAgain(path, store, patience)
        }
    }

    private static func openAgain(
        _ path: String, _ store: ContentStore, _ patience: LockPatience
    ) throws(CacheFolderProblem) -> DiskIndex {
        do { return try openFile(path, store, patience) } catch {
            throw .index(path: path, reason: IndexDamage.text(of: error))
        }
    }

    private static func openFile(_ path: String, _ store: ContentStore, _ patience: LockPatience) throws -> DiskIndex {
        try PrivateFile.prepare(path)
        return try DiskIndex(path: path, store: store, patience: patience)
    }
}
