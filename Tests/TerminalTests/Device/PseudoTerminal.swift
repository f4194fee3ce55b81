import Foundation
import Glibc
import Synchronization

/// A terminal made of a pseudo-terminal: hands out what is written to it and answers as a script says.
final class PseudoTerminal: Sendable {
    let path: String
    /// What arrives, piece by piece, from the moment it is wanted; for one consumer.
    let arrivals: AsyncStream<[UInt8]>
    private let master: Int32
    /// Kept open so that the terminal's modes stay, and can be looked at.
    private let slave: Int32
    private let start: @Sendable () -> Void

    /// What to send when a text arrives, each time it does.
    typealias Answers = [(question: String, answer: String)]

    /// - Parameter isReading: false makes a stopped terminal, which takes a few kilobytes and no more.
    init(columns: Int = 80, rows: Int = 24, isReading: Bool = true, answers: Answers = []) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, &name, nil, &size) == 0 else { throw CocoaError(.fileNoSuchFile) }
        (self.master, self.slave) = (master, slave)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let (arrivals, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.arrivals = arrivals
        start = { [master] in
            Thread.detachNewThread {
                Self.read(master, answering: answers, into: continuation)
                continuation.finish()
            }
        }
        if isReading { start() }
    }

    /// Lets a stopped terminal go on.
    func startReading() { start() }

    deinit { close(slave) }

    /// The modes as `stty -g` shows them: four flag words and the control characters.
    var modes: [UInt32] {
        var modes = termios()
        tcgetattr(slave, &modes)
        let characters = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
    }

    /// How much of what was written to a stopped terminal stands before it, as far as the system counts: 4,095 bytes.
    var unreadCount: Int {
        var count: Int32 = 0
        _ = ioctl(master, UInt(FIONREAD), &count)
        return Int(count)
    }

    func type(_ text: String) { Self.send(text, to: master) }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    }

    /// All that arrived once `condition` holds for it; `text` is what was read before.
    func read(after text: String = "", until condition: (String) -> Bool) async -> String {
        var text = text
        if condition(text) { return text }
        for await piece in arrivals {
            text += String(decoding: piece, as: UTF8.self)
            if condition(text) { break }
        }
        return text
    }

    // Ends, and closes the master's side, when the last holder of the terminal's side is gone.
    private static func read(
        _ master: Int32, answering answers: Answers, into arrivals: AsyncStream<[UInt8]>.Continuation
    ) {
        var pending = ""
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            arrivals.yield(Array(buffer.prefix(count)))
            pending += String(decoding: buffer.prefix(count), as: UTF8.self)
            answer(&pending, answers, to: master)
        }
        close(master)
    }

    private static func answer(_ pending: inout String, _ answers: Answers, to master: Int32) {
        for (question, answer) in answers {
            while let range = pending.firstRange(of: question) {
                pending.removeSubrange(range)
                send(answer, to: master)
            }
        }
        pending = String(pending.suffix(64))
    }

    private static func send(_ text: String, to master: Int32) {
        let bytes = Array(text.utf8)
        write(master, bytes, bytes.count)
    }
}
