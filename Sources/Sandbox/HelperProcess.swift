import AlcedoCSandbox
import AlcedoImageCodecs
import FoundationEssentials
import Glibc
import Raster
import Synchronization

/// A decoder helper process; one caller uses it at a time.
final class HelperProcess: Sendable {
    /// The settings with which a helper is started.
    struct Settings: Hashable {
        /// The limit of address space in bytes.
        var memory: Int
        /// The limit of the bytes that come with a reply.
        var reply: Int
        /// Whether the helper ends if the kernel lacks a protection.
        var isRequired: Bool
        /// The longest wait for a reply in milliseconds; the limit of processor time usually ends the helper before.
        var timeout: Int32 = 60_000
    }

    /// The reply to a request, with the pixels in shared memory.
    struct Result: ~Copyable {
        let reply: HelperReply
        let memory: SharedMemory
    }

    /// A reason that a helper gave no usable reply.
    enum Failure: Error, Equatable {
        /// A fault of the machine, not of the file: no helper can be started, or the system ended it. The text gives
        /// the reason.
        case unavailable(String)
        /// The helper ended without a report, or before its request was sent; the file is not the cause.
        case lost
        /// The helper crashed or exited; the text gives the cause.
        case ended(String)
        /// The file needs more of this resource than a helper has.
        case exhausted(Resource)
        /// The reply is malformed: an attacker may control the helper.
        case malformed
    }

    enum Resource: Equatable {
        case processorTime(seconds: Int)
        case memory(bytes: Int)
    }

    private let socket: Int32
    private let settings: Settings
    private let hasAnswered = Atomic(false)

    /// Starts a helper without waiting for it.
    init(_ settings: Settings) throws(Failure) {
        guard sandbox_has_zygote() != 0 else { throw .unavailable("the program has no zygote process") }
        let request = sandbox_spawn_request(
            memory: UInt64(clamping: settings.memory), reply: UInt64(clamping: settings.reply),
            is_required: settings.isRequired ? 1 : 0)
        socket = sandbox_spawn(request)
        self.settings = settings
        guard socket >= 0 else { throw .unavailable("the zygote process does not answer") }
    }

    /// The zygote kills the helper when its socket is closed.
    deinit { if socket >= 0 { close(socket) } }

    /// Sends a request about a picture's file, and waits for the reply.
    func perform(_ request: HelperRequest, on file: Data) throws(Failure) -> Result {
        try checkSilence()
        // A system may allow only short messages: then the file goes as a descriptor. OpenEXR's loader opens a path.
        if file.count <= HelperRequest.largestInlineFile, FormatSniffer.format(of: file) != .openEXR {
            let memory = try memory(for: request)
            if send(request, file, -1, memory.descriptor) { return try reply(to: request, memory) }
        }
        guard let memory = SharedMemory(file) else { throw Self.noMemory }
        return try perform(request, descriptor: memory.descriptor)
    }

    /// Throws if a message waits before a request is sent: the helper has ended, or has sent a reply without a request.
    ///
    /// The file is not the cause.
    private func checkSilence() throws(Failure) {
        guard sandbox_is_readable(socket) != 0 else { return }
        var buffer = [UInt8](repeating: 0, count: MemoryLayout<sandbox_ending>.size)
        let count = sandbox_receive(socket, &buffer, buffer.count, nil, 0, 0)
        let ending = Ending(Array(buffer.prefix(max(0, count))), settings, processorSeconds: 1)
        switch ending?.failure {
        case .unavailable(let reason): throw .unavailable(reason)
        // A helper that has never answered cannot work on this machine.
        case .ended(let cause) where !hasAnswered.load(ordering: .relaxed):
            throw .unavailable("it ended before it read a file: \(cause)")
        case .exhausted where !hasAnswered.load(ordering: .relaxed):
            throw .unavailable("it ended before it read a file: it lacks memory or processor time")
        default: throw .lost
        }
    }

    private static let noMemory = Failure.unavailable("there is no memory for the file")

    private func memory(for request: HelperRequest) throws(Failure) -> SharedMemory {
        guard request.needsMemory else { return .none }
        guard let memory = SharedMemory() else { throw Self.noMemory }
        return memory
    }

    private func send(_ request: HelperRequest, _ file: Data, _ descriptor: Int32, _ memory: Int32) -> Bool {
        let message = request.bytes
        return file.withUnsafeBytes {
            sandbox_send_request(socket, message, message.count, $0.baseAddress, $0.count, [memory, descriptor])
        } == 0
    }

    /// Sends a request and waits for the reply.
    ///
    /// - Parameter descriptor: The file that the helper reads; -1 for requests that need none.
    func perform(_ request: HelperRequest, descriptor file: Int32 = -1) throws(Failure) -> Result {
        try checkSilence()
        let memory = try memory(for: request)
        // If the helper has ended, the receive below reports why.
        _ = send(request, Data(), file, memory.descriptor)
        return try reply(to: request, memory)
    }

    /// Waits for a reply, which has no descriptors of its own.
    private func reply(to request: HelperRequest, _ memory: consuming SharedMemory) throws(Failure) -> Result {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = sandbox_receive(socket, &buffer, buffer.count, nil, 0, settings.timeout)
        switch count {
        case -3: throw .malformed
        case -2: throw .unavailable("it did not answer within \(settings.timeout / 1000) s")
        case ...0: throw .lost
        default: break
        }
        let bytes = Array(buffer.prefix(count))
        if let ending = Ending(bytes, settings, processorSeconds: request.processorSeconds) { throw ending.failure }
        guard let reply = try? HelperReply(bytes: bytes, to: request) else { throw .malformed }
        if let byteCount = reply.byteCount {
            guard memory.seal(byteCount: byteCount) else { throw .malformed }
        }
        hasAnswered.store(true, ordering: .relaxed)
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
        let isPicture = helper == "decoder"
        return switch self {
        case .unavailable(let reason): .processor(.environment("no sandboxed \(helper) process: \(reason)"))
        case .lost: .processor(.environment("the sandboxed \(helper) process ended without a reason"))
        case .ended(let cause): .damaged(format, "its \(helper) was stopped: \(cause)")
        case .exhausted(.processorTime(let seconds)):
            .processor(
                .limitExceeded(
                    "more than \(seconds) s of processor time" + (isPicture ? "; raise --max-decode-time" : "")))
        case .exhausted(.memory(let bytes)):
            .processor(
                .limitExceeded("more than \(bytes >> 20) MiB of memory" + (isPicture ? "; raise --max-pixels" : "")))
        case .malformed: .damaged(format, "its \(helper) gave an invalid answer")
        }
    }
}

/// The zygote's report of how a helper ended.
private struct Ending {
    let failure: HelperProcess.Failure

    /// Reads a report; nil for other messages.
    init?(_ bytes: [UInt8], _ settings: HelperProcess.Settings, processorSeconds: Int) {
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
            failure = Self.failure(
                signal, code, memory: Int(ending.memory_kib) << 10, settings, processorSeconds: processorSeconds)
        }
    }

    private static func failure(
        _ signal: Int32, _ code: Int32, memory: Int, _ settings: HelperProcess.Settings, processorSeconds: Int
    ) -> HelperProcess.Failure {
        switch signal {
        case 0: .ended("it exited with code \(code)")
        case SIGXCPU: .exhausted(.processorTime(seconds: processorSeconds))
        case SIGXFSZ where largestFile < settings.reply:
            .unavailable("no file may have more than \(largestFile) bytes; raise 'ulimit -f'")
        case SIGKILL: .unavailable("the system killed it, perhaps for lack of memory")
        case _ where memory > settings.memory / 2:
            .exhausted(.memory(bytes: settings.memory))
        default: .ended("it crashed with signal \(signal)")
        }
    }

    /// The limit of a file's size that the user has set for this process and its helpers.
    private static var largestFile: Int {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
            ? Int(clamping: limit.rlim_cur) : .max
    }
}

/// The helper processes of the program, started on demand and used again.
final class HelperPool: Sendable {
    static let shared = HelperPool()

    private struct State {
        var idle: [Entry] = []
        /// The number of helpers that each file has ended, by the file's hash.
        var deaths: [Int: Int] = [:]
        /// Called once, at the first use of a helper, if the kernel lacks protections.
        var onMissing: (@Sendable (SandboxProtections) -> Void)?
    }

    private struct Entry {
        let helper: HelperProcess
        let settings: HelperProcess.Settings
        var requests = 0
    }

    /// The number of requests after which a helper is replaced, so that leaks and damage do not add up.
    private static let requestLimit = 1000
    /// The number of helpers that a file may end; after that it is refused.
    private static let deathLimit = 3
    /// The largest number of files whose deaths are counted.
    private static let countedFiles = 10_000

    private let state = Mutex(State())
    /// Second attempts run one at a time, so that a crash for lack of memory does not happen again.
    private let secondAttempts = Mutex(())
    private let idleLimit = ProcessInfo.processInfo.activeProcessorCount

    /// Starts a helper ahead of the first request, if none is idle.
    func prepare(_ settings: HelperProcess.Settings) {
        guard state.withLock({ $0.idle.isEmpty }), let helper = try? HelperProcess(settings) else { return }
        release(Entry(helper: helper, settings: settings))
    }

    /// Calls `handler` once, with the first use of a helper, if the kernel lacks a protection.
    func onMissingProtection(_ handler: @escaping @Sendable (SandboxProtections) -> Void) {
        state.withLock { $0.onMissing = handler }
    }

    private func reportMissing(of helper: HelperProcess) {
        let handler = state.withLock { state in
            defer { state.onMissing = nil }
            return state.onMissing
        }
        guard let handler,
            case .status(let held)? = try? helper.perform(HelperRequest(.status, limits: .standard)).reply
        else { return }
        let missing = SandboxProtections.all.subtracting(held)
        if !missing.isEmpty { handler(missing) }
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
        reportMissing(of: entry.helper)
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

    /// Throws if the file has already ended the maximum number of helpers.
    private func checkDeaths(of file: Data) throws(HelperProcess.Failure) {
        // Hashing costs time, and in most programs no helper ever crashes.
        guard state.withLock({ !$0.deaths.isEmpty }) else { return }
        let hash = Self.hash(file)
        guard state.withLock({ $0.deaths[hash, default: 0] >= Self.deathLimit }) else { return }
        throw .ended("it ended \(Self.deathLimit) decoder processes and is not tried again")
    }

    /// Returns a hash of all bytes; the hash of `Data` covers only the first 80.
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
