import Foundation
import Glibc
import Synchronization
import TestSupport

/// A terminal made of a pseudo-terminal, with a program in it: shows what the program writes and answers it.
final class FakeTerminal: Sendable {
    /// What the terminal says of itself.
    struct Kind: Sendable {
        var hasSixel = false
        var hasKitty = false
        static let sixel = Kind(hasSixel: true)
        static let kitty = Kind(hasKitty: true)
        static let plain = Kind()
    }

    private struct State {
        var screen: ScreenModel
        var transcript: [UInt8] = []
        var sizeRounds = 0
    }

    static let cell = (width: 6, height: 12)
    private let kind: Kind
    private let pair: TerminalPair
    private let child: Child
    private let state: Mutex<State>
    private let place: Workplace

    /// Starts the program, or a shell that is given the program as `$0`, in a session of its own.
    init(
        _ arguments: [String], in place: Workplace, columns: Int = 100, rows: Int = 30, kind: Kind = .sixel,
        shell script: String? = nil, environment: [String: String] = [:]
    ) throws {
        pair = try TerminalPair(columns: columns, rows: rows)
        (self.kind, self.place) = (kind, place)
        let program = try BuiltProgram.url().path
        state = Mutex(State(screen: ScreenModel(columns: columns, rows: rows, cell: Self.cell)))
        child = try Child(
            script.map { ["/bin/bash", "-c", $0, program] + arguments } ?? [program] + arguments,
            environment: place.environment.merging(["TERM": "xterm-256color"]) { $1 }.merging(environment) { $1 },
            path: pair.path)
        Thread.detachNewThread { [weak self, master = pair.master] in Self.read(master) { self?.take($0) } }
    }

    // The reading thread ends at that, and closes the other one.
    deinit { close(pair.slave) }

    var screen: ScreenModel { state.withLock(\.screen) }

    /// How often the program asked for the size of a cell.
    var sizeRounds: Int { state.withLock(\.sizeRounds) }

    /// All that was written, as it was.
    var transcript: [UInt8] { state.withLock(\.transcript) }

    /// The exit code, or the negative number of the signal that ended the program; nil while it runs.
    var status: Int32? { child.status }

    /// As `stty -g` shows them.
    var modes: [UInt32] { pair.modes }

    func type(_ text: String) { pair.type(text) }

    func send(_ signal: Int32) { child.send(signal) }

    /// Changes the size, at which the system signals the program.
    func resize(columns: Int, rows: Int) {
        state.withLock { $0.screen.resize(columns: columns, rows: rows) }
        pair.resize(columns: columns, rows: rows)
    }

    private func take(_ bytes: [UInt8]) {
        let questions = state.withLock { state in
            state.transcript += bytes
            state.screen.feed(bytes)
            let questions = state.screen.takeQuestions()
            state.sizeRounds += questions.count { $0 == "16t" }
            return questions
        }
        for question in questions { if let answer = answer(to: question) { type(answer) } }
    }

    private func answer(to question: String) -> String? {
        switch question {
        case "c", "0c": kind.hasSixel ? "\u{1B}[?62;4;22c" : "\u{1B}[?62;22c"
        case "16t": "\u{1B}[6;\(Self.cell.height);\(Self.cell.width)t"
        case "5n": "\u{1B}[0n"
        case "?1;1;0S" where kind.hasSixel: "\u{1B}[?1;0;256S"
        case "?2;4;0S" where kind.hasSixel: "\u{1B}[?2;0;2000;2000S"
        case "?2026$p": "\u{1B}[?2026;2$y"
        case "kitty" where kind.hasKitty: "\u{1B}_Gi=31;OK\u{1B}\\"
        case "11;?": "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\"
        default: nil
        }
    }

    private static func read(_ master: Int32, _ body: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = Glibc.read(master, &buffer, buffer.count), count > 0 {
            body(Array(buffer.prefix(count)))
        }
        close(master)
    }
}
