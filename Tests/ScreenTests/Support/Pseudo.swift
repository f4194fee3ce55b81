import Foundation
import Glibc

/// The system's calls about pseudo-terminals.
enum Pseudo {
    static func open(columns: Int, rows: Int) throws -> (master: Int32, slave: Int32, path: String) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, &name, nil, &size) == 0 else {
            throw SystemFailure(call: "openpty", code: errno)
        }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (master, slave, String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
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
}

/// A call of the system that failed.
struct SystemFailure: Error {
    let call: String
    let code: Int32
}
