import AlcedoBrowserCore
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc
import Synchronization

/// Standard input, output and error; all text except progress lines passes the sanitizer.
package struct Console: Sendable {
    private let input, data, messages: Int32

    /// Creates a console on the given descriptors, which stay open; the process's own by default.
    package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        (self.input, data, messages) = (input, output, error)
    }

    package var outputIsTerminal: Bool { isatty(data) == 1 }
    package var inputIsTerminal: Bool { isatty(input) == 1 }
    package var errorIsTerminal: Bool { isatty(messages) == 1 }

    /// Prints a line of data to standard output.
    package func output(_ line: String) { output(bytes: Array((SafeText.clean(line, limit: 65_536) + "\n").utf8)) }

    /// Prints a path or an address with a mark at its end: its exact bytes, unless they are for a terminal.
    package func output(location: String, endingWith end: UInt8 = UInt8(ascii: "\n")) {
        if outputIsTerminal { output(location) } else { output(bytes: location.pathBytes + [end]) }
    }

    /// Prints facts to standard output, as one line of JSON or as text lines.
    package func output(_ facts: some Encodable, asJSON: Bool, lines: @autoclosure () -> [String]) {
        if asJSON { output(bytes: JSONLine.bytes(of: facts)) } else { lines().forEach { output($0) } }
    }

    /// Prints a message to standard error.
    package func message(_ line: String) { write(SafeText.clean(line, limit: 4096) + "\n", to: messages) }

    /// Prints a question to standard error, without a newline.
    package func prompt(_ text: String) { write(SafeText.clean(text, limit: 4096), to: messages) }

    /// Writes bytes to standard output unchanged: encoded pictures or escaped JSON.
    package func output(bytes: [UInt8]) {
        let code = Self.writeAll(bytes, to: data)
        // Not an error: a reader such as `head` has closed the pipe.
        if code == EPIPE { Self.readerIsGone.store(true, ordering: .relaxed) }
        if code != 0, code != EPIPE { Self.failedWrite.withLock { $0 = code } }
    }

    /// The error message of a failed write to standard output; nil if there was none.
    package static var outputProblem: String? {
        let code = failedWrite.withLock(\.self)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    /// Whether the reader closed standard output before the end.
    package static var isUnread: Bool { readerIsGone.load(ordering: .relaxed) }

    private static let readerIsGone = Atomic(false)

    /// Shared by the process, as standard output is; each command checks it at the end.
    private static let failedWrite = Mutex<Int32>(0)

    /// Writes progress text with its control sequences to standard error, without sanitizing.
    package func progress(_ text: String) { write(text, to: messages) }

    /// The size of the terminal at standard error; 80×24 if it is unknown.
    package var terminalSize: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(messages, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Quotes an argument for a shell (POSIX, section 2.2.2).
    package static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:@%=,".contains($0) }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private func write(_ text: String, to descriptor: Int32) { _ = Self.writeAll(Array(text.utf8), to: descriptor) }

    /// Writes all bytes to a descriptor; returns 0 or the error number.
    package static func writeAll(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let wrote = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if wrote < 0, errno == EINTR { continue }
                if wrote < 0, errno == EAGAIN {
                    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&state, 1, -1)
                    continue
                }
                guard wrote > 0 else { return wrote < 0 ? errno : EIO }
                done += wrote
            }
            return 0
        }
    }
}

/// An error that ends a program; its text says what failed, where, and what to do.
public struct ProgramProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }
}

/// Encodes values as single lines of JSON, with version 1 of the schema and without characters that could affect a
/// terminal.
package enum JSONLine {
    /// Returns the bytes of a line, including its newline.
    package static func bytes(of value: some Encodable) -> [UInt8] {
        text(of: Versioned(value: value)).map { Array($0.utf8) + [10] } ?? []
    }

    /// Returns a value as JSON without a version; nil if it cannot be encoded.
    package static func text(of value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { escaped(String(decoding: $0, as: UTF8.self)) }
    }

    /// Escapes DEL, C1 and invisible characters.
    ///
    /// JSONEncoder escapes only C0; the value stays the same.
    package static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x7F }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII ? scalar.value != 0x7F : SafeText.clean(String(scalar)) == String(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }

    private struct Versioned<Value: Encodable>: Encodable {
        let value: Value

        private enum Keys: String, CodingKey {
            case version = "v"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .version)
            try value.encode(to: encoder)
        }
    }
}
