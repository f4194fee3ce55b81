import Foundation
import Glibc

/// The file that lines are appended to, by any number of processes; it and the one before take 1 MiB each.
///
/// A task writes, so that the screen waits for no disk until it is left. What cannot be written is left out: a log must not
/// disturb what it tells of.
struct LogFile: Sendable {
    private let lines: AsyncStream<String>.Continuation
    private let writing: Task<Void, Never>

    /// `limit` is in bytes, 1 MiB by default.
    init(path: String, limit: Int = 1 << 20) {
        let (stream, lines) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(4096))
        self.lines = lines
        writing = Task(priority: .utility) {
            var file = GrowingFile(path: path, limit: limit)
            for await line in stream { file.append(line) }
        }
    }

    func append(_ line: LogLine) { lines.yield(line.written(at: Date(), by: getpid())) }

    /// Waits until all is written.
    func close() async {
        lines.finish()
        await writing.value
    }
}

/// A file that makes way for a new one when it is full, and is then kept as `….1`.
private struct GrowingFile: ~Copyable {
    private let path: String
    private let limit: Int
    private var descriptor: Int32 = -1

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// One write a line: those of other processes come before or after it.
    mutating func append(_ line: String) {
        makeReady()
        guard descriptor >= 0 else { return }
        var line = line
        line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Opens the file that stands in its place by now: another process may have made way for it.
    private mutating func makeReady() {
        var (own, there) = (stat(), stat())
        let stands =
            fstat(descriptor, &own) == 0 && lstat(path, &there) == 0
            && (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino)
        if stands, own.st_size < limit { return }
        if stands { rename(path, path + ".1") }
        open()
    }

    private mutating func open() {
        if descriptor >= 0 { close(descriptor) }
        try? FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // Without waiting: a pipe in its place has no reader.
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    }
}
