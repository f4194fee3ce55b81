import Glibc

/// A pipe that wakes the terminal's thread: one byte a notice, a signal's number or 0.
final class NoticePipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(TerminalError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(call: "pipe", code: errno) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the reader; a full pipe wakes it as well.
    func wake() {
        var byte: UInt8 = 0
        write(writeEnd, &byte, 1)
    }

    /// The signals since the last call, each once.
    func take() -> Set<Int32> {
        var signals: Set<Int32> = []
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(readEnd, &bytes, bytes.count)
        for byte in bytes.prefix(max(0, count)) where byte != 0 { signals.insert(Int32(byte)) }
        return signals
    }
}
