import Glibc
import Raster

extension CellSize {
    /// Asks the kernel for the cell size of the terminal behind a file descriptor, 1 for standard output.
    ///
    /// Nil if it is no terminal, or if the terminal does not tell its size in pixels.
    public init?(ofTerminal descriptor: Int32) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0, size.ws_xpixel > 0,
            size.ws_ypixel > 0
        else { return nil }
        self.init(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
    }
}
