import BrowserCore
import Foundation
import Glibc
import Synchronization

/// Standard output and standard error; every text passes the sanitizer on its way.
public struct Console: Sendable {
    private let input, data, messages: Int32

    /// The process's own three by default; they stay open.
    public init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        (self.input, data, messages) = (input, output, error)
    }

    public var outputIsTerminal: Bool { isatty(data) == 1 }
    public var inputIsTerminal: Bool { isatty(input) == 1 }
    public var errorIsTerminal: Bool { isatty(messages) == 1 }

    /// A line of data.
    public func output(_ line: String) { output(bytes: Array((SafeText.clean(line, limit: 65_536) + "\n").utf8)) }

    /// Facts, as one line of JSON or in lines for people.
    public func output(_ facts: some Encodable, asJSON: Bool, lines: @autoclosure () -> [String]) {
        if asJSON { output(bytes: JSONLine.bytes(of: facts)) } else { lines().forEach { output($0) } }
    }

    /// A line for people.
    public func message(_ line: String) { write(SafeText.clean(line, limit: 4096) + "\n", to: messages) }

    /// A question for people, without a line's end.
    public func prompt(_ text: String) { write(SafeText.clean(text, limit: 4096), to: messages) }

    /// Bytes of data as they are: encoded pictures, JSON that is escaped already.
    public func output(bytes: [UInt8]) {
        let code = writeAll(bytes, to: data)
        // A reader that goes away has seen enough.
        if code == EPIPE { Self.readerIsGone.store(true, ordering: .relaxed) }
        if code != 0, code != EPIPE { Self.failedWrite.withLock { $0 = code } }
    }

    /// Why data of this process could not be written; nil where all could.
    public static var outputProblem: String? {
        let code = failedWrite.withLock(\.self)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    /// Whether whoever read standard output went away before its end.
    public static var isUnread: Bool { readerIsGone.load(ordering: .relaxed) }

    private static let readerIsGone = Atomic(false)

    /// One for the process, as its standard output is: every command ends by asking.
    private static let failedWrite = Mutex<Int32>(0)

    /// Lines of ours that are drawn anew in their place, with the control sequences for it.
    public func progress(_ text: String) { write(text, to: messages) }

    /// Columns and rows of the terminal behind standard error; 80×24 when it does not say.
    var terminalSize: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(messages, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private func write(_ text: String, to descriptor: Int32) { _ = writeAll(Array(text.utf8), to: descriptor) }

    /// Answers 0, or the error's number.
    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var done = 0
        while done < bytes.count {
            let wrote = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if wrote < 0, errno == EINTR || errno == EAGAIN { continue }
            guard wrote > 0 else { return wrote < 0 ? errno : EIO }
            done += wrote
        }
        return 0
    }
}
