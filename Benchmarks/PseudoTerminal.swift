import Foundation
import Glibc

/// A program in a terminal of ours that answers like a sixel terminal and keeps what it was sent.
final class PseudoTerminal {
    struct Failure: Error {
        let text: String
    }

    let process: pid_t
    private let master: Int32
    private(set) var received: [UInt8] = []
    private var answered = 0

    /// What Swift cannot see of ioctl_tty(2) and spawn.h: TIOCSPTLCK, TIOCGPTN, POSIX_SPAWN_SETSID.
    private static let unlock: UInt = 0x4004_5431
    private static let askNumber: UInt = 0x8004_5430
    private static let setSession: Int16 = 0x80

    /// Starts a program with this terminal as its own.
    init(_ arguments: [String], environment: [String: String], columns: Int, rows: Int, cell: (Int, Int)) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        var isLocked: Int32 = 0
        guard master >= 0, ioctl(master, Self.unlock, &isLocked) == 0, ioctl(master, Self.askNumber, &number) == 0
        else { throw Failure(text: "no pseudo terminal: \(String(cString: strerror(errno)))") }
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(columns * cell.0),
            ws_ypixel: UInt16(rows * cell.1))
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        process = try Self.spawn(arguments, environment, terminal: "/dev/pts/\(number)")
    }

    /// The new session's first terminal becomes its controlling one (credentials(7)).
    private static func spawn(
        _ arguments: [String], _ environment: [String: String], terminal: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, setSession)
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, &envp)
        guard status == 0 else { throw Failure(text: "\(arguments[0]): \(String(cString: strerror(status)))") }
        return process
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Reads until the texts have come after `start`, one after the other; answers when the last one had.
    func wait(
        from start: Int, for texts: [String], seconds: Double = 30
    ) throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var place = start
        var missing = texts[...]
        while let text = missing.first {
            if let end = end(of: Array(text.utf8), from: place) {
                place = end
                missing.removeFirst()
            } else {
                place = max(place, received.count - text.utf8.count)
                guard ContinuousClock.now < deadline else { throw Failure(text: "no '\(text)' in \(seconds) s") }
                try readMore()
            }
        }
        return .now
    }

    /// Reads until nothing has come for so long; 200 s at most.
    func waitForQuiet(seconds: Double) throws {
        let deadline = ContinuousClock.now + .seconds(200)
        var lastByte = ContinuousClock.now
        while ContinuousClock.now - lastByte < .seconds(seconds), ContinuousClock.now < deadline {
            let before = received.count
            try readMore()
            if received.count > before { lastByte = .now }
        }
    }

    private func end(of text: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + text.count <= received.count {
            if received[place] == text[0], received[place..<place + text.count].elementsEqual(text) {
                return place + text.count
            }
            place += 1
        }
        return nil
    }

    private func readMore() throws {
        var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, 50) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { throw Failure(text: "the program ended") }
        received += buffer[..<count]
        answer()
    }

    /// The answers of a VT340 with 256 registers, and of a window of this cell size.
    private func answer() {
        let answers = [
            ("\u{1B}[?1;1;0S", "\u{1B}[?1;0;256S"), ("\u{1B}[?2;4;0S", "\u{1B}[?2;0;4000;4000S"),
            ("\u{1B}[c", "\u{1B}[?63;1;2;4;6;9;15;16;22;28c"), ("\u{1B}[5n", "\u{1B}[0n"),
        ]
        for (question, answer) in answers where end(of: Array(question.utf8), from: answered) != nil { send(answer) }
        answered = received.count
    }

    /// The most memory the program ever had, in bytes (`VmHWM` of proc(5)).
    var peakMemory: Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// Ends the program and waits for it.
    func close() {
        send("q")
        for _ in 0..<40 {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) != 0 { break }
            usleep(50_000)
        }
        kill(process, SIGKILL)
        Glibc.close(master)
    }
}
