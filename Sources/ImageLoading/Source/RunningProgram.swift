import Foundation
import Glibc
import Synchronization

/// A running program, with this process's ends of its output channels.
final class RunningProgram: Sendable {
    /// The process id; nil after the process has ended, when no signal may be sent to it.
    private let process: Mutex<pid_t?>
    private let output: Int32
    private let errors: Int32
    private static let errorBytes = 2_000

    init(_ executable: String, _ arguments: [String]) throws(ProgramOutput.Problem) {
        let pipes = [try Self.pipe(), try Self.pipe()]
        defer { for pipe in pipes { close(pipe.write) } }
        (output, errors) = (pipes[0].read, pipes[1].read)
        var child: pid_t = 0
        let code = Self.spawn(&child, [executable] + arguments, output: pipes[0].write, errors: pipes[1].write)
        process = Mutex(code == 0 ? child : nil)
        guard code == 0 else { throw .notStarted(String(cString: strerror(code))) }
    }

    deinit {
        close(output)
        close(errors)
    }

    /// Kills the program and its children.
    func kill() { process.withLock { if let child = $0 { _ = Glibc.kill(-child, SIGKILL) } } }

    /// Collects the standard output until the program ends.
    ///
    /// - Parameter limit: The largest number of bytes; the program is killed if it writes more.
    func collect(limit: Int) -> Result<Data, ProgramOutput.Problem> {
        var (data, words) = (Data(), Data())
        var open = [output, errors]
        while !open.isEmpty {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { continue }
            for descriptor in waiting where descriptor.revents != 0 {
                let piece = Self.read(descriptor.fd)
                if piece.isEmpty { open.removeAll { $0 == descriptor.fd } }
                if descriptor.fd == output { data += piece }
                if descriptor.fd == errors { words += piece.prefix(Self.errorBytes - words.count) }
            }
            if data.count > limit {
                kill()
                _ = wait()
                return .failure(.tooMuch)
            }
        }
        return wait() == 0 ? .success(data) : .failure(.failed(Self.firstLine(words)))
    }

    /// Waits for the program and returns its status.
    ///
    /// The process id is released only after `kill()` can no longer use it.
    private func wait() -> Int32 {
        guard let child = process.withLock({ $0 }) else { return -1 }
        var information = siginfo_t()
        while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return process.withLock { running in
            var status: Int32 = -1
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            running = nil
            return status
        }
    }

    private static func read(_ descriptor: Int32) -> Data {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return Data(buffer.prefix(max(0, count)))
        }
    }

    private static func firstLine(_ words: Data) -> String {
        let line = words.prefix { $0 != 10 }.prefix(300).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
        return String(decoding: line, as: UTF8.self)
    }
}

extension RunningProgram {
    /// Creates a pair of sockets; Swift's Glibc has no call for a pipe that is close-on-exec from the start.
    private static func pipe() throws(ProgramOutput.Problem) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(String(cString: strerror(errno))) }
        return (ends[0], ends[1])
    }

    /// Starts the program; returns an error number, or 0.
    ///
    /// The program gets its own process group, so that its children can be killed too. Its signals are reset to the
    /// defaults, because threads of the standard library block signals.
    private static func spawn(_ child: inout pid_t, _ command: [String], output: Int32, errors: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let (arguments, variables) = (strings(command), strings(["PATH=\(path)"]))
        defer { for string in arguments + variables { free(string) } }
        return posix_spawn(&child, command[0], &actions, &attributes, arguments, variables)
    }

    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
