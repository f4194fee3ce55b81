import Foundation
import Glibc

/// The two ends of a pseudo-terminal; whoever opens them closes them.
public struct TerminalPair: Sendable {
    public let master: Int32
    /// Kept open, the terminal's modes can be looked at when its program is gone.
    public let slave: Int32
    public let path: String

    /// `cell` is in pixels; unknown by default.
    public init(columns: Int = 80, rows: Int = 24, cell: (width: Int, height: Int) = (0, 0)) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        var size = Self.size(columns, rows, cell)
        guard openpty(&master, &slave, &name, nil, &size) == 0 else {
            throw SystemFailure(call: "openpty", code: errno)
        }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (self.master, self.slave) = (master, slave)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The modes as `stty -g` shows them: four flag words and the control characters.
    public var modes: [UInt32] {
        var modes = termios()
        tcgetattr(slave, &modes)
        let characters = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
    }

    /// Changes the size, at which the system signals the terminal's program; `cell` is in pixels, unknown by default.
    public func resize(columns: Int, rows: Int, cell: (width: Int, height: Int) = (0, 0)) {
        var size = Self.size(columns, rows, cell)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    }

    public func type(_ text: String) { type(Array(text.utf8)) }

    /// Waits while the program takes nothing and the system holds no more.
    public func type(_ bytes: [UInt8]) { _ = write(master, bytes, bytes.count) }

    /// Sets modes as `stty sane` does, more or less.
    public func makeSane() {
        var modes = termios()
        tcgetattr(slave, &modes)
        modes.c_iflag |= tcflag_t(ICRNL | IXON)
        modes.c_oflag |= tcflag_t(OPOST | ONLCR)
        modes.c_lflag |= tcflag_t(ISIG | ICANON | ECHO | IEXTEN)
        tcsetattr(slave, TCSANOW, &modes)
    }

    /// How many typed bytes the program has not read.
    public var unreadCount: Int { Self.unread(slave) }

    /// How many written bytes the terminal has not read, as far as the system counts: to 4096.
    public var waitingOutput: Int { Self.unread(master) }

    private static func unread(_ end: Int32) -> Int {
        var count: Int32 = 0
        _ = ioctl(end, UInt(FIONREAD), &count)
        return Int(count)
    }

    public func close() { for descriptor in [master, slave] { _ = Glibc.close(descriptor) } }

    private static func size(_ columns: Int, _ rows: Int, _ cell: (width: Int, height: Int)) -> winsize {
        winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(columns * cell.width),
            ws_ypixel: UInt16(rows * cell.height))
    }
}

/// A call of the system that failed.
public struct SystemFailure: Error {
    public let call: String
    public let code: Int32
}
