import Dispatch
import Foundation
import Synchronization

/// Bytes from a file or from standard input, read off the caller's thread so that a slow pipe blocks nobody.
final class ByteStream: ByteSource {
    /// Bytes asked for at a time.
    static let piece = 64 * 1024
    /// Milliseconds between two looks at whether a waiting read was cancelled.
    private static let patience: Int32 = 200

    let name: String
    private let descriptor: Int32
    private let owned: Bool
    private let queue = DispatchQueue(label: "alcedo.list")

    init(descriptor: Int32, name: String, owned: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.owned = owned
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
        let stopped = Stopped()
        let result: Result<[UInt8], ListError> = await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                queue.async { done.resume(returning: self.readNow(line, stopped)) }
            }
        } onCancel: {
            stopped.flag.store(true, ordering: .relaxed)
        }
        return try result.get()
    }

    private final class Stopped: Sendable {
        let flag = Atomic(false)
    }

    private func readNow(_ line: Int, _ stopped: Stopped) -> Result<[UInt8], ListError> {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if stopped.flag.load(ordering: .relaxed) { return .failure(.cancelled) }
            let ready = poll(&waiting, 1, Self.patience)
            if ready > 0 { break }
            if ready < 0 && errno != EINTR { return failure(line) }
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
