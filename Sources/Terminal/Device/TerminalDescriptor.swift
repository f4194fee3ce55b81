import AlcedoCTerminalGuard
import Glibc
import Raster

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
        if isWhole { cfmakeraw(&modes) }
        modes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON)
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

/// An error that prevents the use of the terminal.
package enum TerminalError: Error, Equatable, Sendable {
    /// The process has no terminal, or the terminal is gone.
    case noTerminal
    /// `TERM` is empty or names a terminal without cursor control: `dumb`, `unknown`.
    case incapable(terminal: String)
    /// The terminal database has no entry for the value of `TERM`.
    case unknownTerminal(String)
    /// A system call failed.
    case system(call: String, code: Int32)
    /// The process has already opened the terminal.
    case alreadyOpen
}

/// The window size reported by the system, in cells and, if known, in pixels.
struct WindowSize: Equatable, Sendable {
    /// The size in cells, from 1×1 to 1200×600.
    var grid: GridSize
    /// The size in pixels including the inner border; zero if unknown.
    var pixels: PixelSize

    /// Clamps the values; 0 columns or rows become 80×24.
    init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
        grid = GridSize(
            columns: min(columns > 0 ? columns : 80, 1200), rows: min(rows > 0 ? rows : 24, 600))
        pixels = PixelSize(width: pixelWidth, height: pixelHeight)
    }

    /// The cell size derived from the window; nil if the pixel size is unknown or implausible.
    ///
    /// Terminals include their inner border in the pixel size. If a side is not a multiple of the cells, a border of 2
    /// pixels on each edge (xterm's) is subtracted and the quotient is rounded down.
    var cell: CellSize? {
        guard pixels.width <= 24576, pixels.height <= 24576, pixels.width >= 2 * grid.columns,
            pixels.height >= 4 * grid.rows
        else { return nil }
        return CellSize(
            width: Self.share(pixels.width, among: grid.columns), height: Self.share(pixels.height, among: grid.rows))
    }

    private static func share(_ side: Int, among cells: Int) -> Int {
        (side.isMultiple(of: cells) ? side : max(cells, side - 4)) / cells
    }
}
