import CTerminalGuard
import Glibc

/// A private open file description of the terminal, so that non-blocking mode does not affect other processes.
final class TerminalDescriptor: Sendable {
    let number: Int32
    /// The modes at the time of opening.
    let original: termios

    /// Opens the terminal at `path`.
    init(path: String) throws(TerminalError) {
        number = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { throw .noTerminal }
        var modes = termios()
        guard tcgetattr(number, &modes) == 0 else {
            close(number)
            throw .noTerminal
        }
        original = modes
    }

    deinit { close(number) }

    var windowSize: WindowSize {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0 else { return WindowSize(columns: 0, rows: 0) }
        return WindowSize(
            columns: Int(size.ws_col), rows: Int(size.ws_row), pixelWidth: Int(size.ws_xpixel),
            pixelHeight: Int(size.ws_ypixel))
    }

    /// The characters of the Linux console's font; nil for any other terminal.
    var consoleFont: Set<UInt16>? {
        var count: Int32 = -1
        let characters = [UInt16](unsafeUninitializedCapacity: Int(alcedo_console_font_limit)) { buffer, filled in
            count = buffer.baseAddress.map { alcedo_console_font(number, $0) } ?? -1
            filled = Int(max(0, count))
        }
        return count < 0 ? nil : Set(characters)
    }

    /// Delivers every key at once, without echo.
    ///
    /// - Parameter isWhole: whether control characters such as control-C are also read as keys, and output is unmodified.
    func enterRawMode(isWhole: Bool) {
        var modes = original
        modes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON)
        if isWhole {
            modes.c_iflag &= ~tcflag_t(BRKINT | ICRNL | IGNCR | INLCR | ISTRIP | IXON | PARMRK)
            modes.c_oflag &= ~tcflag_t(OPOST)
            modes.c_lflag &= ~tcflag_t(ISIG | IEXTEN)
        }
        withUnsafeMutableBytes(of: &modes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        tcsetattr(number, TCSANOW, &modes)
    }

    /// Restores the original modes without waiting for output.
    func leaveRawMode() {
        var modes = original
        tcsetattr(number, TCSANOW, &modes)
    }

    /// Reads the available bytes: empty if there are none yet, nil if the terminal is gone.
    func read() -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
            count = Glibc.read(number, buffer.baseAddress, 4096)
            filled = max(0, count)
        }
        if count > 0 { return bytes }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Writes as much as fits and returns the number of bytes; nil if the terminal is gone.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Waits until bytes can be read (`POLLIN`) or written (`POLLOUT`) and returns true, or false after the time-out.
    func wait(for events: Int32, milliseconds: Int) -> Bool {
        var entry = pollfd(fd: number, events: Int16(events), revents: 0)
        return poll(&entry, 1, Int32(clamping: max(0, milliseconds))) > 0
    }

    func discardInput() { tcflush(number, TCIFLUSH) }

    /// Discards output that the terminal has not read yet.
    func discardOutput() { tcflush(number, TCOFLUSH) }
}
