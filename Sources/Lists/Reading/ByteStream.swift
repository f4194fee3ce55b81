import Dispatch
import Foundation
import Synchronization

/// Bytes from a file or from standard input, read off the caller's thread so that a slow pipe blocks nobody.
final class ByteStream: ByteSource {
    /// Bytes asked for at a time.
    static let piece = 64 * 1024
    /// Milliseconds between two looks at whether a waiting read was cancelled.
    private static let patience = 200

    let name: String
    private let descriptor: Int32
    private let owned: Bool
    private let quietTime: Int
    private let queue = DispatchQueue(label: "alcedo.list")

    /// A source that gives nothing for so many milliseconds is quiet.
    init(descriptor: Int32, name: String, owned: Bool, quietTime: Int = 1000) {
        self.descriptor = descriptor
        self.name = name
        self.owned = owned
        self.quietTime = quietTime
    }

    /// Throws ``ListError/missing(file:)`` and ``ListError/unreadable(file:line:reason:)``.
    ///
    /// Nobody waits for the other end of a pipe here: that is part of reading, which can be cancelled.
    convenience init(path: String) throws(ListError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = Self.reason(errno)
            throw errno == ENOENT ? .missing(file: path) : .unreadable(file: path, line: nil, reason: reason)
        }
        self.init(descriptor: descriptor, name: path, owned: true)
    }

    deinit {
        if owned { close(descriptor) }
    }

    /// The next bytes; none at the end.
    func read(line: Int) async throws(ListError) -> [UInt8] {
        try await onQueue { self.readNow(line, $0) }.get()
    }

    func isQuiet() async -> Bool {
        await onQueue { self.wait($0, for: self.quietTime) == .quiet }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable (Stopped) -> Value) async -> Value {
        let stopped = Stopped()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { done in queue.async { done.resume(returning: work(stopped)) } }
        } onCancel: {
            stopped.flag.store(true, ordering: .relaxed)
        }
    }

    private final class Stopped: Sendable {
        let flag = Atomic(false)
    }

    private enum Wait {
        /// There is something to read, or the end.
        case ready
        case quiet, cancelled, failed
    }

    private func wait(_ stopped: Stopped, for limit: Int = .max) -> Wait {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var left = limit
        while left > 0 {
            if stopped.flag.load(ordering: .relaxed) { return .cancelled }
            let patience = min(left, Self.patience)
            let ready = poll(&waiting, 1, Int32(patience))
            if ready > 0 { return .ready }
            if ready < 0 && errno != EINTR { return .failed }
            left -= patience
        }
        return .quiet
    }

    private func readNow(_ line: Int, _ stopped: Stopped) -> Result<[UInt8], ListError> {
        switch wait(stopped) {
        case .ready: break
        case .quiet, .cancelled: return .failure(.cancelled)
        case .failed: return failure(line)
        }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, initialized in
            count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            initialized = max(0, count)
        }
        guard count < 0 else { return .success(bytes) }
        // Somebody else has read it meanwhile.
        return [EAGAIN, EINTR].contains(errno) ? readNow(line, stopped) : failure(line)
    }

    private func failure(_ line: Int) -> Result<[UInt8], ListError> {
        .failure(.unreadable(file: name, line: line > 0 ? line : nil, reason: Self.reason(errno)))
    }

    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
