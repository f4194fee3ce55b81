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
    func write(_ data: Data, digest: ContentDigest, isDurable: Bool = false) throws(Problem) {
        let target = path(of: digest.hexadecimal)
        if holds(target, length: data.count) { return }
        let shard = "\(folder)/\(digest.hexadecimal.prefix(2))"
        if mkdir(shard, 0o700) != 0, errno != EEXIST { throw .system(operation: "make folder", code: errno) }
        let temporary = "\(shard)/.tmp-\(getpid())-\(Self.serial.add(1, ordering: .relaxed).newValue)"
        do throws(Problem) {
            try writeNew(data, to: temporary, isDurable: isDurable)
            guard rename(temporary, target) == 0 else { throw .system(operation: "rename", code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Reads a content file; checks its length always, its digest when asked.
    func read(_ digest: String, length: Int, checkingDigest: Bool) throws(Problem) -> Data {
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

    func remove(_ digest: String) { unlink(path(of: digest)) }

    /// Removes temporary files older than an hour; answers how many.
    func sweepTemporaryFiles(now: Date) -> Int {
        var swept = 0
        for shard in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(shard)")) ?? []
            for name in names where name.hasPrefix(".tmp-") {
                let path = "\(folder)/\(shard)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0, now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > 3600
                else { continue }
                if unlink(path) == 0 { swept += 1 }
            }
        }
        return swept
    }

    private func holds(_ path: String, length: Int) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == length
    }

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
