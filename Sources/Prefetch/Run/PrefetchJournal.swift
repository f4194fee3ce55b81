import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading

/// A file that records the finished items of a prefetch, so that a killed run can be resumed.
///
/// A header identifies the run. It is followed by records of ten bytes: the hash of the work and the error code, 0 for
/// success, both little-endian. A record is written when its item finishes, in one write and without a sync. It
/// survives the process; after a power cut, missing records only cost a look into the cache. A lock keeps other
/// processes from writing to the same journal.
final class PrefetchJournal {
    /// Maximum number of records, 40 MB; later items are not recorded and are found in the cache instead.
    static let recordLimit = 4_000_000
    /// The age in seconds after which a journal is ignored, because the cache has changed since.
    static let longestLife = 7 * 86_400.0
    /// The maximum age for a run that revalidates: the next night's run revalidates again.
    static let refreshingLife = 12 * 3600.0

    private let path: String
    private let descriptor: Int32
    private var count: Int
    /// The number of items that the interrupted run finished.
    var earlierCount: Int { usable.count + failed.count }
    /// Hashes of usable items in ascending order.
    private let usable: [UInt64]
    private let failed: [UInt64: Int]

    /// Opens the journal of a run, creating the folder if necessary; returns nil if that is impossible.
    ///
    /// If `resumes` is false, earlier records are deleted. An incomplete record at the end is removed.
    init?(folder: String, run: String, resumes: Bool, now: Date, life: Double = longestLife) {
        let file = String(StableHash.hash(run), radix: 16) + ".journal"
        path = "\(folder)/\(file)"
        Self.prepare(folder, now: now, sparing: file)
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        let head = Self.head(of: run)
        let records = resumes ? Self.read(descriptor, head, notBefore: now - life) : nil
        var (usable, failed): ([UInt64], [UInt64: Int]) = ([], [:])
        for (hash, code) in records ?? [] { if code == 0 { usable.append(hash) } else { failed[hash] = code } }
        (self.usable, self.failed) = (usable.sorted(), failed)
        count = records?.count ?? 0
        if records == nil { _ = ftruncate(descriptor, 0) }
        let end = off_t(head.count + count * Self.recordLength)
        if records == nil { Self.write(head, to: descriptor) } else { _ = ftruncate(descriptor, end) }
    }

    deinit { close(descriptor) }

    /// Returns the outcome in the interrupted run of the work with this name; nil if it was not finished.
    func outcome(of work: String) -> Earlier? {
        let hash = StableHash.hash(work)
        if let code = failed[hash] { return .failed(code: code) }
        let place = usable.partitioningIndex { $0 >= hash }
        return place < usable.count && usable[place] == hash ? .usable : nil
    }

    enum Earlier: Equatable {
        case usable
        case failed(code: Int)
    }

    /// Records that the work with this name is finished: usable, or permanently failed with this code.
    func record(_ work: String, code: Int = 0) {
        guard count < Self.recordLimit else { return }
        count += 1
        Self.write(Self.record(StableHash.hash(work), code), to: descriptor)
    }

    /// Closes the journal, and deletes it if the lists are complete.
    func finish(isComplete: Bool) {
        if isComplete { unlink(path) }
        flock(descriptor, LOCK_UN)
    }
}

// MARK: - The file

extension PrefetchJournal {
    private static let recordLength = 10

    private static func head(of run: String) -> [UInt8] { Array("alcedo-journal 1 \(StableHash.hash(run))\n".utf8) }

    private static func record(_ hash: UInt64, _ code: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
            + (0..<2).map { UInt8(truncatingIfNeeded: UInt16(clamping: code) >> ($0 * 8)) }
    }

    /// Creates the folder and removes journals that are too old.
    private static func prepare(_ folder: String, now: Date, sparing file: String) {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".journal") && name != file {
            var status = stat()
            let path = "\(folder)/\(name)"
            if lstat(path, &status) == 0, !isWritten(status, since: now - longestLife) { unlink(path) }
        }
    }

    private static func isWritten(_ status: stat, since date: Date) -> Bool {
        Double(status.st_mtim.tv_sec) >= date.timeIntervalSince1970
    }

    /// Reads the records; returns nil for a journal that is empty, too old, or of another run.
    private static func read(_ descriptor: Int32, _ head: [UInt8], notBefore date: Date) -> [(hash: UInt64, code: Int)]?
    {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isWritten(status, since: date)
        else {
            return nil
        }
        let length = min(Int(status.st_size), head.count + recordLimit * recordLength)
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, length)) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        guard bytes.starts(with: head), !head.isEmpty else { return nil }
        return stride(from: head.count, through: bytes.count - recordLength, by: recordLength).map { start in
            let number = { (places: Range<Int>) in
                places.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[start + $1]) }
            }
            return (number(0..<8), Int(number(8..<10)))
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

extension PrefetchJournal {
    /// Opens the journal for these settings; returns nil without a state folder, or if the same run is active in
    /// another process.
    convenience init?(of settings: PrefetchSettings, now: Date = Date()) {
        guard let folder = UserFolder.state("prefetch", settings.library.environment) else { return nil }
        let life = settings.freshness == .ifNotCached ? Self.longestLife : Self.refreshingLife
        self.init(folder: folder, run: settings.run, resumes: settings.resumes, now: now, life: life)
    }
}

extension PrefetchSettings {
    /// Identifies the run: its lists, the options that determine what is cached, and the cache folder.
    fileprivate var run: String {
        let folder = FileManager.default.currentDirectoryPath
        let places = lists.map { $0.contains("://") ? $0 : URL(filePath: $0, relativeTo: URL(filePath: folder)).path }
        let base = base.map { "\($0)" } ?? ""
        let cache = (try? library.diskFolder())?.path ?? ""
        let choices =
            [freshness.rawValue, shard?.text ?? "", "\(usesLowData)", "\(warmsMemory)"]
            + (inspection.map { ["\($0)"] } ?? []) + (encoding.map { ["\($0)"] } ?? [])
        return (places + [base, cache] + choices + variants.map(\.text)).joined(separator: "\n")
    }
}

extension ImageError {
    /// Whether every later attempt would fail in the same way, with any options.
    var isFinal: Bool {
        switch self {
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.allSatisfy { $0.error.isFinal }
        case .response(.invalidHTTPStatusCode(let code, _)): [404, 410].contains(code)
        case .response(.notAnImage), .request(.invalidURL): true
        default: false
        }
    }
}
