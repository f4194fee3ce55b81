import AlcedoCFiles
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A program that runs beside this one, the leader of a process group of its own.
package final class ChildProcess: Sendable {
    private enum State {
        case running([CheckedContinuation<Int32, Never>])
        case ended(Int32)
    }

    private let identifier: pid_t
    private let state = Mutex(State.running([]))

    /// Starts a program; it has no other files than its three standard ones.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name; they may stand for bytes, see `PathText.swift`.
    ///   - environment: All variables; nil for those of this process.
    ///   - input, output, errors: Descriptors for the standard files; nil for `/dev/null`.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil,
        output: Int32? = nil, errors: Int32? = nil
    ) throws(SystemError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (place, descriptor) in [input, output, errors].enumerated() {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", O_RDWR, 0)
            }
        }
        alcedo_close_others(&actions)
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        let words = ([path] + arguments).map { Self.duplicate($0) } + [nil]
        let variables =
            (environment ?? ProcessInfo.processInfo.environment).map { Self.duplicate("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process = pid_t()
        let code = path.withPath { path in
            posix_spawn(&process, path, &actions, &attributes, words, variables)
        }
        guard code == 0 else { throw SystemError(code) }
        identifier = process
        // The wait blocks, and the threads of the concurrency runtime are few.
        DispatchQueue(label: "alcedo.child").async { [self] in
            awaitEnd()
            end()
        }
    }

    /// Returns the exit status when the program has ended; that of a shell, 128 and the signal, for a killed one.
    package func status() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status: Int32? = state.withLock { state in
                switch state {
                case .ended(let status): return status
                case .running(let waiting):
                    state = .running(waiting + [continuation])
                    return nil
                }
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// Kills the program and the children in its group, unless it has ended.
    package func kill() {
        state.withLock { if case .running = $0 { _ = Glibc.kill(-identifier, SIGKILL) } }
    }

    /// Waits for the program's end and leaves its identifier taken.
    private func awaitEnd() {
        var facts = siginfo_t()
        while waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Gives the identifier back and the status to those who wait, in one step: `kill()` must not hit a later process.
    private func end() {
        let (waiting, status): ([CheckedContinuation<Int32, Never>], Int32) = state.withLock { state in
            guard case .running(let waiting) = state else { return ([], 0) }
            let status = Self.status(of: identifier)
            state = .ended(status)
            return (waiting, status)
        }
        for continuation in waiting { continuation.resume(returning: status) }
    }

    private static func status(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { return -1 }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// The program gets a group of its own and no blocked or ignored signals.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return attributes
    }

    private static func duplicate(_ text: String) -> UnsafeMutablePointer<CChar>? { text.withPath { strdup($0) } }
}
