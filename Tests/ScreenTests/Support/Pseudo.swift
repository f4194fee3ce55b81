import Foundation
import Glibc

/// The system's calls about pseudo-terminals and the programs in them.
enum Pseudo {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    static func open(columns: Int, rows: Int) throws -> (master: Int32, slave: Int32, path: String) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, &name, nil, &size) == 0 else { throw Failure(call: "openpty", code: errno) }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (master, slave, String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Starts a program as the leader of a session whose terminal it opens.
    static func spawn(_ command: [String], environment: [String: String], terminal: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, which glibc defines for GNU sources only.
        posix_spawnattr_setflags(&attributes, 0x80)
        let (arguments, variables) = (strings(command), strings(environment.map { "\($0.key)=\($0.value)" }))
        defer { for string in arguments + variables { free(string) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw Failure(call: "posix_spawn", code: code) }
        return child
    }

    /// The exit code, or the negative number of the signal.
    static func wait(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    static func modes(_ terminal: Int32) -> [UInt32] {
        var modes = termios()
        tcgetattr(terminal, &modes)
        let characters = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
    }

    static func resize(_ terminal: Int32, columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) { _ = Glibc.write(descriptor, bytes, bytes.count) }

    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
