import Foundation
import Glibc
import Synchronization

/// Content files, named by the SHA-256 of what they hold; equal content is stored once.
struct BlobStore: Sendable {
    enum Problem: Error, Sendable {
        case missing
        case damaged(String)
        case system(operation: String, code: Int32)
    }

    let folder: String
    private static let serial = Atomic<Int>(0)

    func path(of digest: String) -> String { "\(folder)/\(digest.prefix(2))/\(digest)" }

    /// Writes the content under a temporary name in its final folder, then renames; a reader sees all or nothing.
    ///
    /// Content that is there already costs no write.
    func write(_ data: Data, digest: ContentDigest, isDurable: Bool = false) throws(Problem) {
        if holds(digest.hexadecimal, length: data.count) { return }
        do throws(Problem) {
            try place(data, digest: digest, isDurable: isDurable)
        } catch {
            // Another process cleared the cache in between.
            guard case .system(_, ENOENT) = error else { throw error }
            try place(data, digest: digest, isDurable: isDurable)
        }
    }

    private func place(_ data: Data, digest: ContentDigest, isDurable: Bool) throws(Problem) {
        let target = path(of: digest.hexadecimal)
        let shard = "\(folder)/\(digest.hexadecimal.prefix(2))"
        try makeFolder(folder)
        try makeFolder(shard)
        let temporary = "\(shard)/.tmp-\(getpid())-\(Self.nextSerial())"
        do throws(Problem) {
            try writeNew(data, to: temporary, isDurable: isDurable)
            if rename(temporary, target) == 0 { return }
            // A folder in the content's place is no content of ours.
            remove(digest.hexadecimal)
            guard rename(temporary, target) == 0 else { throw .system(operation: "rename", code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Reads a content file; checks its length always, its digest when asked.
    func read(_ digest: String, length: Int, checkingDigest: Bool) throws(Problem) -> Data {
        guard ContentDigest(hexadecimal: digest) != nil else { throw .damaged("not a digest") }
        let data: Data
        do throws(RegularFile.Problem) {
            data = try RegularFile.read(path(of: digest), limit: length, followLinks: false)
        } catch {
            if case .system(_, ENOENT) = error { throw .missing }
            throw .damaged(error.description)
        }
        guard data.count == length else { throw .damaged("\(data.count) bytes instead of \(length)") }
        if checkingDigest, ContentDigest(of: data).hexadecimal != digest { throw .damaged("the digest differs") }
        return data
    }

    /// Removes content, or whatever else stands in its place.
    @Sendable func remove(_ digest: String) {
        guard ContentDigest(hexadecimal: digest) != nil else { return }
        let path = path(of: digest)
        if unlink(path) != 0, errno == EISDIR { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Removes all content at once; what is stored meanwhile goes to the folder that takes this one's place.
    func removeAll() throws(Problem) {
        let old = "\(folder).old-\(getpid())-\(Self.nextSerial())"
        guard rename(folder, old) == 0 || errno == ENOENT else { throw .system(operation: "rename", code: errno) }
        try makeFolder(folder)
        try? FileManager.default.removeItem(atPath: old)
    }

    /// The digests of content files older than an hour, a shard at a time.
    func oldContents(now: Date) -> [[String]] {
        shards.map { shard in
            names(in: shard).filter { ContentDigest(hexadecimal: $0) != nil && isOld("\(shard)/\($0)", now: now) }
        }
    }

    /// Removes temporary files older than an hour; answers how many.
    func sweepTemporaryFiles(now: Date) -> Int {
        let temporary = shards.flatMap { shard in names(in: shard).map { "\(shard)/\($0)" } }
            .filter { $0.contains("/.tmp-") && isOld($0, now: now) }
        return temporary.count { unlink($0) == 0 }
    }

    /// Whether a plain file of this length stands in the content's place.
    func holds(_ digest: String, length: Int) -> Bool {
        guard ContentDigest(hexadecimal: digest) != nil else { return false }
        var status = stat()
        return lstat(path(of: digest), &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == length
    }

    private var shards: [String] { names(in: folder).map { "\(folder)/\($0)" } }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private func isOld(_ path: String, now: Date) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > 3600
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
        if isDurable, fsync(descriptor) != 0 { throw .system(operation: "sync", code: errno) }
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
}

extension BlobStore.Problem: CustomStringConvertible {
    var description: String {
        switch self {
        case .missing: "the content file is missing"
        case .damaged(let why): why
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }
}
