import AlcedoSupport
import FoundationEssentials
import Glibc
import Synchronization

/// The content files, named by the SHA-256 of their bytes; equal contents are stored once.
struct BlobStore: Sendable {
    enum Problem: Error, Sendable {
        case missing
        case damaged(String)
        case system(operation: String, code: Int32)

        /// Whether the content itself is at fault, not the present state of the system.
        var isOfTheContent: Bool { if case .system = self { false } else { true } }
    }

    /// The block size in which disk usage is counted, in bytes.
    static let block = 4096

    /// Returns the number of bytes that a content takes on the file system.
    static func space(_ length: Int) -> Int { (max(1, length) + block - 1) / block * block }

    /// Returns the disk usage of a content as an SQL expression over a column of lengths.
    static func space(ofColumn column: String) -> String { "(\(column) + \(block - 1)) / \(block) * \(block)" }

    let folder: String
    /// Synchronises a file descriptor with the disk; fsync(2) by default.
    var synchronize: @Sendable (Int32) -> Int32 = { fsync($0) }
    private static let serial = Atomic<Int>(0)

    init(folder: String) { self.folder = folder }

    func path(of name: String) -> String { "\(shard(of: name))/\(name)" }

    private func shard(of name: String) -> String { "\(folder)/\(name.prefix(2))" }

    /// Writes the content to a temporary file in its folder, then renames it: a reader sees all of it or nothing.
    ///
    /// Content that exists is not written again, but it is compared, as it may be damaged.
    ///
    /// - Parameter isDurable: Whether to synchronise the content and its folders with the disk before returning.
    func write(_ data: Data, name: ContentName, isDurable: Bool = false) throws(Problem) {
        let name = name.text
        if holds(name, data) {
            if isDurable { try synchronizeFile(path(of: name)) }
        } else {
            try placeInFolders(data, name: name, isDurable: isDurable)
        }
        guard isDurable else { return }
        for folder in [shard(of: name), folder] { try synchronizeFile(folder) }
    }

    /// Writes the content and creates missing folders.
    ///
    /// A folder is missing for the first content in it and while the cache is being cleared, which may happen several
    /// times during one write.
    private func placeInFolders(_ data: Data, name: String, isDurable: Bool) throws(Problem) {
        for attempt in 1...16 {
            do throws(Problem) {
                return try place(data, name: name, isDurable: isDurable)
            } catch {
                guard case .system(_, ENOENT) = error, attempt < 16 else { throw error }
                for folder in [folder, shard(of: name)] {
                    // The parent of the shard may have been removed again.
                    do throws(Problem) { try makeFolder(folder) } catch {
                        guard case .system(_, ENOENT) = error else { throw error }
                    }
                }
            }
        }
    }

    private func place(_ data: Data, name: String, isDurable: Bool) throws(Problem) {
        let (target, shard) = (path(of: name), shard(of: name))
        var temporary = ""
        do throws(Problem) {
            temporary = try write(data, in: shard, isDurable: isDurable)
            if rename(temporary, target) == 0 { return }
            // A folder at this path is not a content file and can go.
            remove(name)
            guard rename(temporary, target) == 0 else { throw .system(operation: "rename", code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes a new temporary file; returns its path.
    private func write(_ data: Data, in shard: String, isDurable: Bool) throws(Problem) -> String {
        var problem = Problem.system(operation: "create", code: EEXIST)
        // Files of these names may exist: a killed process leaves them, and containers reuse process identifiers.
        for _ in 0..<1_000 {
            let path = "\(shard)/.tmp-\(getpid())-\(Self.nextSerial())"
            do throws(Problem) {
                try writeNew(data, to: path, isDurable: isDurable)
                return path
            } catch {
                problem = error
                guard case .system(_, EEXIST) = error else {
                    unlink(path)
                    throw error
                }
            }
        }
        throw problem
    }

    /// Reads a content file; always checks its length, and its digest on request.
    func read(_ name: String, length: Int, checkingDigest: Bool) throws(Problem) -> Data {
        guard let content = ContentName(name) else { throw .damaged("not a digest") }
        let data: Data
        do throws(RegularFile.Problem) {
            data = try RegularFile.read(path(of: name), limit: length, followLinks: false)
        } catch {
            throw Problem(error)
        }
        guard data.count == length else { throw .damaged("\(data.count) bytes instead of \(length)") }
        if checkingDigest, ContentDigest(of: data) != content.digest { throw .damaged("the digest differs") }
        return data
    }

    /// Removes a content file, or anything else at its path.
    @Sendable func remove(_ name: String) {
        guard ContentName(name) != nil else { return }
        let path = path(of: name)
        if unlink(path) != 0, errno == EISDIR { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Removes all contents at once; stores that run meanwhile write to the new folder.
    func removeAll() throws(Problem) {
        let old = try Self.setAside(folder)
        try? FileManager.default.removeItem(atPath: old)
    }

    /// Replaces a folder by an empty one; a sweep deletes the old one.
    ///
    /// - Returns: The old folder's new path.
    @discardableResult
    static func setAside(_ folder: String) throws(Problem) -> String {
        let old = "\(folder).old-\(getpid())-\(nextSerial())"
        guard rename(folder, old) == 0 || errno == ENOENT else { throw .system(operation: "rename", code: errno) }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .system(operation: "make folder", code: errno) }
        return old
    }

    /// Returns whether a regular file of this length that its owner can read exists for the content.
    func holds(_ name: String, length: Int) -> Bool { fault(of: name, length: length) == nil }

    /// Returns the fault of a content file that shows without reading the file; nil if there is none.
    func fault(of name: String, length: Int) -> Problem? {
        guard ContentName(name) != nil else { return .damaged("not a digest") }
        var status = stat()
        guard lstat(path(of: name), &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFREG else { return .damaged("not a regular file") }
        guard status.isReadableFile else { return .damaged("it may not be read") }
        return status.st_size == length ? nil : .damaged("\(status.st_size) bytes instead of \(length)")
    }

    private func holds(_ name: String, _ data: Data) -> Bool {
        holds(name, length: data.count) && (try? read(name, length: data.count, checkingDigest: false)) == data
    }

    private func makeFolder(_ path: String) throws(Problem) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(operation: "make folder", code: errno) }
    }

    private static func nextSerial() -> Int { serial.add(1, ordering: .relaxed).newValue }

    private func writeNew(_ data: Data, to path: String, isDurable: Bool) throws(Problem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "create", code: errno) }
        defer { close(descriptor) }
        try writeAll(data, to: descriptor)
        if isDurable, synchronize(descriptor) != 0 { throw .system(operation: "sync", code: errno) }
    }

    private func writeAll(_ data: Data, to descriptor: Int32) throws(Problem) {
        var done = 0
        while done < data.count {
            let wrote = data.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, data.count - done)
            }
            if wrote < 0, errno == EINTR { continue }
            guard wrote > 0 else { throw .system(operation: "write", code: errno) }
            done += wrote
        }
    }

    /// Synchronises a file or a folder with the disk.
    private func synchronizeFile(_ path: String) throws(Problem) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(operation: "open", code: errno) }
        defer { close(descriptor) }
        if synchronize(descriptor) != 0 { throw .system(operation: "sync", code: errno) }
    }
}

/// Removal of the leftovers of killed processes.
extension BlobStore {
    /// Returns the names of content files that were written before a date, one array per shard.
    func contents(writtenBefore date: Date) -> some Sequence<[String]> {
        shards.lazy.map { shard in
            names(in: shard).filter { ContentName($0) != nil && Self.wasWritten("\(shard)/\($0)", before: date) }
        }
    }

    /// Removes temporary files older than an hour, and folders that were set aside.
    func sweepTemporaryFiles(now: Date) {
        let parent = folder.pathFolder
        for name in names(in: parent) where name.contains(".old-") {
            try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
        }
        for shard in shards {
            for name in names(in: shard) where name.hasPrefix(".tmp-") {
                let path = "\(shard)/\(name)"
                if Self.wasWritten(path, before: now - 3600) { unlink(path) }
            }
        }
    }

    private var shards: [String] { names(in: folder).map { "\(folder)/\($0)" } }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    static func wasWritten(_ path: String, before date: Date) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && Double(status.st_mtim.tv_sec) < date.timeIntervalSince1970
    }
}

extension stat {
    /// Whether this is a regular file that its owner may read; the cache never takes that right away.
    var isReadableFile: Bool { st_mode & S_IFMT == S_IFREG && st_mode & S_IRUSR != 0 }
}

extension BlobStore.Problem: CustomStringConvertible {
    /// Converts a failed read; of the system's errors only some are faults of the content, not a lack of descriptors.
    fileprivate init(_ problem: RegularFile.Problem) {
        switch problem {
        case .system(_, ENOENT): self = .missing
        case .system(let operation, let code) where ![ELOOP, ENXIO, ENODEV, EISDIR, EIO, EACCES].contains(code):
            self = .system(operation: operation, code: code)
        case .system(_, EACCES): self = .damaged("it may not be read")
        case .folder, .notRegular: self = .damaged("not a regular file")
        case .tooLarge(let bytes, let limit): self = .damaged("\(bytes) bytes instead of \(limit)")
        default: self = .damaged(problem.description)
        }
    }

    var description: String {
        switch self {
        case .missing: "the content file is missing"
        case .damaged(let why): why
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }
}

/// The content files whose digest this process has verified, in bounded memory.
///
/// Stores a 64-bit hash of each name: a collision is unlikely in one cache and only skips a check. A full set is
/// emptied, which costs repeated checks.
final class VerifiedContents: Sendable {
    private let names = Mutex<Set<Int>>([])
    private let limit: Int

    /// Creates an empty set; `limit` is the maximum number of contents, 65,536 by default.
    init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name.hashValue) } }

    func insert(_ name: String) {
        names.withLock { names in
            if names.count >= limit { names.removeAll() }
            names.insert(name.hashValue)
        }
    }

    func remove(_ name: String) { names.withLock { _ = $0.remove(name.hashValue) } }
}
