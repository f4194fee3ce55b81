import AlcedoBrowserCore
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc

/// An append-only log file that several processes may share; it and its predecessor take 1 MiB each.
///
/// A task does the writing, so the screen never waits for the disk before it closes. Lines that cannot be written are
/// dropped: logging must not disturb the program.
struct LogFile: Sendable {
    private let lines: AsyncStream<String>.Continuation
    private let writing: Task<Void, Never>

    /// - Parameter limit: The size in bytes at which a new file is started; 1 MiB by default.
    init(path: String, limit: Int = 1 << 20) {
        let (stream, lines) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(4096))
        self.lines = lines
        writing = Task(priority: .utility) {
            var file = GrowingFile(path: path, limit: limit)
            for await line in stream { file.append(line) }
        }
    }

    func append(_ line: LogLine) { lines.yield(line.written(at: Date(), by: getpid())) }

    /// Waits until all lines are written.
    func close() async {
        lines.finish()
        await writing.value
    }
}

/// A file that is renamed to `….1` when it is full; then a new file is started.
private struct GrowingFile: ~Copyable {
    private let path: String
    private let limit: Int
    private var descriptor: Int32 = -1

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends a line with a single `write`, so that lines of several processes do not mix.
    mutating func append(_ line: String) {
        makeReady()
        guard descriptor >= 0 else { return }
        var line = line
        line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Opens the file at `path` unless it is open already; another process may have replaced it in the meantime.
    private mutating func makeReady() {
        var (own, found) = (stat(), stat())
        let isCurrent =
            fstat(descriptor, &own) == 0 && lstat(path, &found) == 0
            && (own.st_dev, own.st_ino) == (found.st_dev, found.st_ino)
        if isCurrent, own.st_size < limit { return }
        if isCurrent { rename(path, path + ".1") }
        open()
    }

    private mutating func open() {
        if descriptor >= 0 { close(descriptor) }
        try? FileManager.default.createDirectory(
            atPath: path.pathFolder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // Without O_NONBLOCK, opening a FIFO at this path would wait for a reader.
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    }
}

/// One line of the log.
struct LogLine: Equatable {
    enum Severity: String { case info, warning }

    var severity: Severity
    /// May contain untrusted text; it is sanitized when it is written.
    var text: String

    /// Returns the line as it is written: `2026-11-22T07:40:12.345Z 4711 warning …` (time, process, severity, text).
    func written(at time: Date, by process: Int32) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return "\(time.formatted(style)) \(process) \(severity.rawValue) \(SafeText.clean(text))\n"
    }
}

/// Selects the browser messages that are worth logging; it sees the same messages that the screen is updated from.
@MainActor
struct BrowserLog {
    /// The redacted address or path of an item's picture.
    let location: @MainActor (ItemID) -> String

    /// Returns the log line for a message, or nil for the messages that are not logged.
    func line(for message: BrowseMessage) -> LogLine? {
        switch message {
        case .notice(let text): LogLine(severity: .info, text: text)
        case .warning(let text), .listUnreadable(let text): LogLine(severity: .warning, text: text)
        case .listFinished(let skipped, let reasons):
            LogLine(
                severity: .info,
                text: skipped == 0
                    ? "lists read"
                    : "lists read, \(skipped) unusable lines: \(reasons.joined(separator: "; "))")
        case .statusChanged(let item, let status): line(for: status, of: item)
        case .hostsChanged(let hosts):
            hosts.isEmpty ? nil : LogLine(severity: .warning, text: hosts.map(Self.text).joined(separator: "; "))
        case .processorRefused(let reason, _): LogLine(severity: .warning, text: reason)
        default: nil
        }
    }

    private func line(for status: ItemStatus, of item: ItemID) -> LogLine? {
        switch status {
        case .failed(let reason): LogLine(severity: .warning, text: "failed: \(location(item)): \(reason)")
        case .retrying(let attempt, let attempts, let seconds, let reason):
            LogLine(
                severity: .info,
                text: "attempt \(attempt) of \(attempts) in \(seconds) s: \(location(item)): \(reason)")
        default: nil
        }
    }

    private static func text(of host: HostStatus) -> String { "\(host.host): \(host.words(seconds: host.seconds))" }
}
