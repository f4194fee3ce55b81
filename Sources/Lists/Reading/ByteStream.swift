import AlcedoSupport
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Bytes of a file or of standard input, read on a queue of its own, so that a slow pipe blocks no shared thread.
final class ByteStream: ByteSource {
    static let chunkSize = 64 * 1024
    /// Milliseconds between two checks whether a waiting read was cancelled.
    private static let pollInterval = 200

    let name: String
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let idleTime: Int
    private let queue = DispatchQueue(label: "alcedo.list")

    /// - Parameter idleTime: The milliseconds without bytes after which the source is idle.
    init(descriptor: Int32, name: String, closesDescriptor: Bool, idleTime: Int = 1000) {
        (self.descriptor, self.name, self.closesDescriptor) = (descriptor, name, closesDescriptor)
        self.idleTime = idleTime
    }

    /// Opens a file without waiting for the other end of a pipe: `read` does that and can be cancelled.
    ///
    /// - Throws: ``ListError/missing(file:)`` and ``ListError/unreadable(file:line:reason:)``.
    convenience init(path: String) throws(ListError) {
        let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            let reason = Self.reason(errno)
            throw errno == ENOENT ? .missing(file: path) : .unreadable(file: path, line: nil, reason: reason)
        }
        self.init(descriptor: descriptor, name: path, closesDescriptor: true)
    }

    deinit {
        if closesDescriptor { close(descriptor) }
    }

    func read(line: Int) async throws(ListError) -> [UInt8] {
        try await onQueue { self.readNow(line, $0) }.get()
    }

    func isIdle() async -> Bool {
        await onQueue { self.wait($0, for: self.idleTime) == .idle }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable (CancellationFlag) -> Value) async -> Value {
        let flag = CancellationFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: work(flag)) }
            }
        } onCancel: {
            flag.isCancelled.store(true, ordering: .relaxed)
        }
    }

    private final class CancellationFlag: Sendable {
        let isCancelled = Atomic(false)
    }

    private enum WaitResult {
        /// Bytes have arrived, or the end.
        case ready
        case idle, cancelled, failed
    }

    /// Waits for bytes, at most `limit` milliseconds.
    private func wait(_ flag: CancellationFlag, for limit: Int = .max) -> WaitResult {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var left = limit
        while left > 0 {
            if flag.isCancelled.load(ordering: .relaxed) { return .cancelled }
            let interval = min(left, Self.pollInterval)
            let ready = poll(&request, 1, Int32(interval))
            if ready > 0 { return .ready }
            if ready < 0 && errno != EINTR { return .failed }
            left -= interval
        }
        return .idle
    }

    private func readNow(_ line: Int, _ flag: CancellationFlag) -> Result<[UInt8], ListError> {
        switch wait(flag) {
        case .ready: break
        case .idle, .cancelled: return .failure(.cancelled)
        case .failed: return failure(line)
        }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, initialized in
            count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            initialized = max(0, count)
        }
        guard count < 0 else { return .success(bytes) }
        // EAGAIN: another process has read the bytes in the meantime.
        return [EAGAIN, EINTR].contains(errno) ? readNow(line, flag) : failure(line)
    }

    private func failure(_ line: Int) -> Result<[UInt8], ListError> {
        .failure(.unreadable(file: name, line: line > 0 ? line : nil, reason: Self.reason(errno)))
    }

    /// Returns the system's description of an error number.
    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// A source of bytes in chunks of bounded size.
protocol ByteSource: Sendable {
    /// The name for messages.
    var name: String { get }

    /// Returns the next bytes; an empty array at the end.
    ///
    /// - Parameter line: The line to name in errors; 0 for none.
    mutating func read(line: Int) async throws(ListError) -> [UInt8]

    /// Returns whether no bytes arrive for a while; false if the source cannot tell, the default.
    func isIdle() async -> Bool
}

extension ByteSource {
    func isIdle() async -> Bool { false }
}

/// Bytes in memory.
struct MemorySource: ByteSource {
    let name: String
    private var bytes: Data

    init(_ bytes: Data, name: String) { (self.bytes, self.name) = (bytes, name) }

    mutating func read(line: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(ByteStream.chunkSize) }
        return [UInt8](bytes.prefix(ByteStream.chunkSize))
    }
}
