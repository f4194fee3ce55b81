import Foundation
import Glibc
import TestSupport

/// A program in a terminal of ours that answers like a sixel terminal; says when what came.
final class TimedTerminal {
    struct Failure: Error {
        let text: String
    }

    private let pair: TerminalPair
    private let program: Child
    private(set) var received: [UInt8] = []
    /// When how many bytes had come.
    private(set) var arrivals: [(time: ContinuousClock.Instant, count: Int)] = []
    private var answered = 0
    /// The longest side of a sixel picture that it takes, in pixels.
    private let longestSide: Int

    /// Starts a program with this terminal as its own; `cell` is in pixels.
    init(
        _ arguments: [String], environment: [String: String], columns: Int, rows: Int,
        cell: (width: Int, height: Int), longestSide: Int = 4_000
    ) throws {
        self.longestSide = longestSide
        pair = try TerminalPair(columns: columns, rows: rows, cell: cell)
        program = try Child(arguments, environment: environment, path: pair.path)
    }

    /// The built browser, with a cache of its own, in a wide terminal or, `asItComes`, in xterm without configuration.
    static func browser(_ arguments: [String], asItComes: Bool = false) throws -> TimedTerminal {
        let environment = [
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": "/tmp",
            "ALCEDO_CACHE_DIR": Figures.folder.appending(path: "cache").path(percentEncoded: false),
            "SWIFT_BACKTRACE": "enable=no",
        ]
        let command = [Figures.program] + arguments
        return asItComes
            ? try TimedTerminal(
                command, environment: environment, columns: 160, rows: 45, cell: (6, 13), longestSide: 1_000)
            : try TimedTerminal(command, environment: environment, columns: 220, rows: 50, cell: (8, 16))
    }

    func send(_ text: String) { pair.type(text) }

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

    /// Reads what comes until a moment.
    func listen(until end: ContinuousClock.Instant) throws {
        while ContinuousClock.now < end { try readMore(within: 2) }
    }

    /// When a text that came after `start` had come; nil when it did not.
    func arrival(of text: String, after start: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let before = arrivals.last { $0.time < start }?.count ?? 0
        guard let end = end(of: Array(text.utf8), from: before) else { return nil }
        return arrivals.first { $0.count >= end }?.time
    }

    private func end(of text: [UInt8], from start: Int) -> Int? {
        received.withUnsafeBytes { bytes in
            var place = start
            while place + text.count <= bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + place, Int32(text[0]), bytes.count - text.count + 1 - place)
            {
                if memcmp(found, text, text.count) == 0 { return base.distance(to: found) + text.count }
                place = base.distance(to: found) + 1
            }
            return nil
        }
    }

    private func readMore(within milliseconds: Int32 = 50) throws {
        var poller = pollfd(fd: pair.master, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, milliseconds) > 0 else {
            guard program.status == nil else { throw Failure(text: "the program ended") }
            return
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(pair.master, &buffer, buffer.count)
        guard count > 0 else { throw Failure(text: "the terminal is gone") }
        received += buffer[..<count]
        arrivals.append((.now, received.count))
        answer()
    }

    /// The answers of a VT340 with 256 registers, and of a window of this cell size.
    private func answer() {
        let answers = [
            ("\u{1B}[?1;1;0S", "\u{1B}[?1;0;256S"), ("\u{1B}[?2;4;0S", "\u{1B}[?2;0;\(longestSide);\(longestSide)S"),
            ("\u{1B}[c", "\u{1B}[?63;1;2;4;6;9;15;16;22;28c"), ("\u{1B}[5n", "\u{1B}[0n"),
        ]
        for (question, answer) in answers {
            // A question may begin in what was read before.
            var place = max(0, answered - question.utf8.count + 1)
            while let end = end(of: Array(question.utf8), from: place) {
                send(answer)
                place = end
            }
        }
        answered = received.count
    }

    /// The most memory the program ever had, in bytes (`VmHWM` of proc(5)).
    var peakMemory: Int { status("VmHWM:") * 1024 }

    /// The memory the program has, in bytes (`VmRSS` of proc(5)).
    var memory: Int { status("VmRSS:") * 1024 }

    /// The processor time the program has taken, in seconds (`utime` and `stime` of proc(5)).
    var processorTime: Double {
        let fields = file("stat").split(separator: " ")
        guard fields.count > 14, let user = Double(fields[13]), let system = Double(fields[14]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private func status(_ name: String) -> Int {
        let line = file("status").split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    private func file(_ name: String) -> String {
        (try? String(contentsOfFile: "/proc/\(program.identifier)/\(name)", encoding: .utf8)) ?? ""
    }

    /// Ends the program, by force when it takes more than two seconds.
    func close() {
        send("q")
        for _ in 0..<40 where program.status == nil { usleep(50_000) }
        if program.status == nil { program.send(SIGKILL) }
        while program.status == nil { usleep(1000) }
        pair.close()
    }
}
