import CSandbox
import Foundation
import Glibc
import Synchronization

/// A decoder helper process; one caller uses it at a time.
final class HelperProcess: Sendable {
    /// The settings with which a helper is started.
    struct Settings: Hashable {
        /// The limit of address space in bytes.
        var memory: Int
        /// Whether the helper ends if the kernel lacks a protection.
        var isRequired: Bool
    }

    /// The reply to a request, with the pixels in shared memory.
    struct Result: ~Copyable {
        let reply: HelperReply
        let memory: SharedMemory?
    }

    /// A reason that a helper gave no usable reply.
    enum Failure: Error, Equatable {
        /// A fault of the machine, not of the file: no helper can be started, or the system ended it. The text gives the
        /// reason.
        case unavailable(String)
        /// The helper ended without a word: the zygote, which says why, has ended itself.
        case lost
        /// The helper crashed or exited; the text gives the cause.
        case ended(String)
        /// The file needs more processor time or memory than a helper has; the text says which.
        case exhausted(String)
        /// The reply is malformed: an attacker may control the helper.
        case malformed
    }

    private let socket: Int32
    private let settings: Settings

    /// Starts a helper without waiting for it.
    init(_ settings: Settings) throws(Failure) {
        guard sandbox_has_zygote() != 0 else { throw .unavailable("the program has no zygote process") }
        let request = sandbox_spawn_request(
            memory: UInt64(clamping: settings.memory), is_required: settings.isRequired ? 1 : 0)
        socket = sandbox_spawn(request)
        self.settings = settings
        guard socket >= 0 else { throw .unavailable("the zygote process does not answer") }
    }

    /// The zygote kills the helper when its socket is closed.
    deinit { if socket >= 0 { close(socket) } }

    /// The longest wait for a reply in milliseconds; the limit of processor time usually ends the helper before.
    private static let timeout: Int32 = 60_000

    /// Sends a request about a picture's file, and waits for the reply.
    func perform(_ request: HelperRequest, on file: Data) throws(Failure) -> Result {
        let message = request.bytes
        // A system may allow only short messages: then the file goes as a descriptor.
        if file.count <= HelperRequest.largestInlineFile,
            file.withUnsafeBytes({ sandbox_send_two(socket, message, message.count, $0.baseAddress, $0.count) }) == 0
        {
            return try reply(to: request)
        }
        guard let memory = SharedMemory([file]) else { throw .unavailable("there is no memory for the file") }
        return try perform(request, descriptor: memory.descriptor)
    }

    /// Sends a request and waits for the reply.
    ///
    /// - Parameter descriptor: The file that the helper reads; -1 for requests that need none.
    func perform(_ request: HelperRequest, descriptor file: Int32 = -1) throws(Failure) -> Result {
        let message = request.bytes
        // A helper that has ended reports why on the receive.
        _ = sandbox_send(socket, message, message.count, file)
        return try reply(to: request)
    }

    private func reply(to request: HelperRequest) throws(Failure) -> Result {
        var buffer = [UInt8](repeating: 0, count: 8192)
        var descriptor: Int32 = -1
        let count = sandbox_receive(socket, &buffer, buffer.count, &descriptor, Self.timeout)
        let memory = descriptor >= 0 ? SharedMemory(adopting: descriptor) : nil
        switch count {
        case -3: throw .malformed
        case -2: throw .unavailable("it did not answer within \(Self.timeout / 1000) s")
        case ...0: throw .lost
        default: break
        }
        let bytes = Array(buffer.prefix(count))
        if let ending = Ending(bytes, settings) { throw ending.failure }
        guard let reply = try? HelperReply(bytes: bytes, to: request) else { throw .malformed }
        if let byteCount = reply.byteCount {
            guard memory?.isSealed(byteCount: byteCount) == true else { throw .malformed }
        }
        return Result(reply: reply, memory: memory)
    }
}

extension HelperProcess.Result {
    /// Returns the result of a request that did not fail.
    consuming func get() throws(CodecError) -> HelperProcess.Result {
        if case .failure(let error) = reply { throw error }
        return self
    }
}

extension HelperProcess.Failure {
    /// Returns the error for a file that the helper should have read.
    func error(of format: String, helper: String = "decoder") -> CodecError {
        switch self {
        case .unavailable(let reason): .processor(.environment("no sandboxed \(helper) process: \(reason)"))
        case .lost: .processor(.environment("the sandboxed \(helper) process ended without a reason"))
        case .ended(let cause), .exhausted(let cause): .damaged(format, "its \(helper) was stopped: \(cause)")
        case .malformed: .damaged(format, "its \(helper) gave an invalid answer")
        }
    }
}

/// The zygote's report of how a helper ended.
private struct Ending {
    let failure: HelperProcess.Failure

    /// Reads a report; nil for other messages.
    init?(_ bytes: [UInt8], _ settings: HelperProcess.Settings) {
        guard bytes.count == MemoryLayout<sandbox_ending>.size else { return nil }
        let ending = bytes.withUnsafeBytes { $0.loadUnaligned(as: sandbox_ending.self) }
        guard ending.magic == Int64(sandbox_ending_magic) else { return nil }
        let status = Int32(truncatingIfNeeded: ending.wait_status)
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        if ending.wait_status < 0 {
            failure = .unavailable("the system cannot start a process")
        } else if signal == 0, code == Int32(sandbox_all), settings.isRequired {
            failure = .unavailable("the kernel lacks a protection; `alcedo doctor` lists them")
        } else {
            failure = Self.failure(signal, code, memory: Int(ending.memory_kib) << 10, settings)
        }
    }

    private static func failure(
        _ signal: Int32, _ code: Int32, memory: Int, _ settings: HelperProcess.Settings
    ) -> HelperProcess.Failure {
        switch signal {
        case 0: .ended("it exited with code \(code)")
        case SIGXCPU: .exhausted("it used too much processor time")
        case SIGKILL: .unavailable("the system killed it, perhaps for lack of memory")
        case _ where memory > settings.memory / 2:
            .exhausted("it used more than \(settings.memory >> 20) MiB of memory")
        default: .ended("it crashed with signal \(signal)")
        }
    }
}

/// The helper processes of the program, started on demand and used again.
final class HelperPool: Sendable {
    static let shared = HelperPool()

    private struct State {
        var idle: [Entry] = []
        /// The number of helpers that each file has ended, by the file's hash.
        var deaths: [Int: Int] = [:]
    }

    private struct Entry {
        let helper: HelperProcess
        let settings: HelperProcess.Settings
        var requests = 0
    }

    /// The number of requests after which a helper is replaced, so that leaks and damage do not add up.
    private static let requestLimit = 1000
    /// The number of helpers that a file may end; it is not tried again.
    private static let deathLimit = 3
    /// The largest number of files whose deaths are counted.
    private static let countedFiles = 10_000

    private let state = Mutex(State())
    /// Second attempts take turns: a crash for lack of memory must not happen again.
    private let secondAttempts = Mutex(())
    private let idleLimit = ProcessInfo.processInfo.activeProcessorCount

    /// Starts a helper ahead of the first request, if none is idle.
    func prepare(_ settings: HelperProcess.Settings) {
        guard state.withLock({ $0.idle.isEmpty }), let helper = try? HelperProcess(settings) else { return }
        release(Entry(helper: helper, settings: settings))
    }

    /// Performs a request in a helper, and in another one if the first crashes or is lost.
    ///
    /// - Throws: A failure, after which the helper has been ended.
    func perform(
        _ request: HelperRequest, on file: Data, _ settings: HelperProcess.Settings
    ) throws(HelperProcess.Failure) -> HelperProcess.Result {
        try checkDeaths(of: file)
        do throws(HelperProcess.Failure) {
            return try attempt(request, on: file, try acquire(settings))
        } catch {
            switch error {
            case .ended: try checkDeaths(of: file)
            case .lost: break
            case .unavailable, .exhausted, .malformed: throw error
            }
        }
        return try secondAttempts.withLock { _ throws(HelperProcess.Failure) in
            try attempt(request, on: file, Entry(helper: try HelperProcess(settings), settings: settings))
        }
    }

    private func attempt(
        _ request: HelperRequest, on file: Data, _ entry: Entry
    ) throws(HelperProcess.Failure) -> HelperProcess.Result {
        var entry = entry
        do throws(HelperProcess.Failure) {
            let result = try entry.helper.perform(request, on: file)
            entry.requests += 1
            release(entry)
            return result
        } catch {
            switch error {
            case .unavailable, .lost: throw error
            case .ended, .exhausted, .malformed: break
            }
            let hash = Self.hash(file)
            state.withLock { state in
                if state.deaths.count >= Self.countedFiles { state.deaths.removeAll() }
                state.deaths[hash, default: 0] += 1
            }
            throw error
        }
    }

    /// Throws if the file has ended as many helpers as one may.
    private func checkDeaths(of file: Data) throws(HelperProcess.Failure) {
        // Hashing costs time, and most programs never see a death.
        guard state.withLock({ !$0.deaths.isEmpty }) else { return }
        let hash = Self.hash(file)
        guard state.withLock({ $0.deaths[hash, default: 0] >= Self.deathLimit }) else { return }
        throw .ended("it ended \(Self.deathLimit) decoder processes and is not tried again")
    }

    /// Returns a hash of all bytes; that of `Data` is of the first 80 only.
    private static func hash(_ file: Data) -> Int {
        var hasher = Hasher()
        file.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private func acquire(_ settings: HelperProcess.Settings) throws(HelperProcess.Failure) -> Entry {
        let idle = state.withLock { state in
            state.idle.lastIndex { $0.settings == settings }.map { state.idle.remove(at: $0) }
        }
        if let idle { return idle }
        return Entry(helper: try HelperProcess(settings), settings: settings)
    }

    private func release(_ entry: Entry) {
        guard entry.requests < Self.requestLimit else { return }
        state.withLock { state in
            state.idle.append(entry)
            if state.idle.count > idleLimit { state.idle.removeFirst() }
        }
    }
}
