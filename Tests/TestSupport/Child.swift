import Foundation
import Glibc
import Synchronization

/// A program of its own: in a session of its own, with every signal as the system gives it; killed when nobody holds it.
///
/// Threads of the standard library block signals, and a child would inherit that: `Process` is of no use here.
public final class Child: Sendable {
    public let identifier: pid_t
    private let ending = Mutex<Int32?>(nil)

    /// Input, output and errors are the file at `path`, which becomes its terminal when it is one; errors go to
    /// another file when that is given.
    public init(_ command: [String], environment: [String: String], path: String, errors: String? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR | O_APPEND, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        if let errors { posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY, 0) }
        var attributes = try Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        let (arguments, variables) = (
            Self.strings(command), Self.strings(environment.map { "\($0.key)=\($0.value)" })
        )
        defer { for string in arguments + variables { free(string) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw SystemFailure(call: "posix_spawn", code: code) }
        identifier = child
        Thread.detachNewThread { [weak self, child] in
            let status = Self.wait(child)
            self?.ending.withLock { $0 = status }
        }
    }

    deinit { if status == nil { kill(identifier, SIGTERM) } }

    /// The exit code, or the negative number of the signal that ended it; nil while it runs.
    public var status: Int32? { ending.withLock(\.self) }

    public func send(_ signal: Int32) { kill(identifier, signal) }

    /// Sends a signal to its youngest thread, as a crash in there would; false when that cannot be done.
    public func sendToThread(_ signal: Int32) -> Bool {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")
        // glibc has it, but shows it to GNU sources only.
        guard let thread = threads?.compactMap({ pid_t($0) }).max(), let address = dlsym(nil, "tgkill") else {
            return false
        }
        typealias Call = @convention(c) (pid_t, pid_t, Int32) -> Int32
        return unsafeBitCast(address, to: Call.self)(identifier, thread, signal) == 0
    }

    /// The oldest of its own children.
    public var firstChild: pid_t? {
        let list = try? String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
        return list?.split(separator: " ").first.flatMap { pid_t($0) }
    }

    /// The most memory it ever had, in bytes; nil when it is gone.
    public var peakMemory: Int? {
        let text = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 << 10 }
    }

    /// The letter that the system has for its state, `T` when it is stopped; nil when it is gone.
    public var state: Character? {
        let line = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        return line?.split(separator: ")").last?.split(separator: " ").first?.first
    }

    private static func attributes() throws -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else {
            throw SystemFailure(call: "posix_spawnattr_init", code: errno)
        }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // POSIX_SPAWN_SETSID, which glibc has for GNU sources only.
        let ownSession: Int32 = 0x80
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | Int16(ownSession))
        return attributes
    }

    private static func wait(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
