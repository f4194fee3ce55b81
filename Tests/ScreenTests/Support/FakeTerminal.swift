import Foundation
import Glibc
import Synchronization
import TestSupport

/// A terminal made of a pseudo-terminal, with a program in it: shows what the program writes and answers it.
final class FakeTerminal: Sendable {
    private struct State {
        var screen: ScreenModel
        var transcript: [UInt8] = []
        var sizeRounds = 0
        var isHolding: Bool
        var heldAnswers: [String] = []
        var answersAtTheEnd = false
        var isPaused = false
        var isHangingUp = false

        /// What of the answers, and of those before, is to be given now.
        mutating func release(_ answers: [String]) -> [String] {
            guard isHolding else { return answers }
            heldAnswers += answers
            guard answersAtTheEnd, !screen.modes.contains(1049) else { return [] }
            defer { heldAnswers = [] }
            return heldAnswers
        }
    }

    private let kind: Kind
    private let pair: TerminalPair
    private let child: Child
    private let state: Mutex<State>
    private let place: Workplace
    private let tellsPixels: Bool
    private let resumption = DispatchSemaphore(value: 0)

    /// Starts the program, or a shell that is given the program as `$0`, in a session of its own.
    ///
    /// With `holdsAnswers` the answers wait for `stopHolding()`; with `tellsPixels` the system knows a cell's size too.
    init(
        _ arguments: [String], in place: Workplace, columns: Int = 100, rows: Int = 30, kind: Kind = .sixel,
        shell script: String? = nil, environment: [String: String] = [:], holdsAnswers: Bool = false,
        tellsPixels: Bool = false
    ) throws {
        pair = try TerminalPair(columns: columns, rows: rows, cell: tellsPixels ? kind.cell : (0, 0))
        (self.kind, self.place, self.tellsPixels) = (kind, place, tellsPixels)
        let program = try BuiltProgram.url().path
        state = Mutex(
            State(screen: ScreenModel(columns: columns, rows: rows, cell: kind.cell), isHolding: holdsAnswers))
        child = try Child(
            script.map { ["/bin/bash", "-c", $0, program] + arguments } ?? [program] + arguments,
            environment: place.environment.merging(["TERM": "xterm-256color"]) { $1 }.merging(environment) { $1 },
            path: pair.path)
        Thread.detachNewThread { [weak self, master = pair.master] in
            Self.read(master) { self?.take($0) ?? false }
        }
    }

    // The reading thread ends at that, and closes the other one.
    deinit {
        resumption.signal()
        close(pair.slave)
    }

    var screen: ScreenModel { state.withLock(\.screen) }

    /// How often the program asked for the size of a cell.
    var sizeRounds: Int { state.withLock(\.sizeRounds) }

    /// All that was written, as it was.
    var transcript: [UInt8] { state.withLock(\.transcript) }

    /// The end of the transcript as text that is safe to print, pictures by their length alone.
    var lastWords: String {
        let text = String(decoding: transcript.suffix(1 << 16), as: UTF8.self)
        let short = text.replacing(/\u{1B}P[^\u{1B}]*\u{1B}\\/) { "<picture of \($0.output.count)>" }
        return String(short.suffix(6000)).debugDescription
    }

    /// The exit code, or the negative number of the signal that ended the program; nil while it runs.
    var status: Int32? { child.status }

    /// The process that was started.
    var process: Child { child }

    /// As `stty -g` shows them.
    var modes: [UInt32] { pair.modes }

    func type(_ text: String) { pair.type(text) }

    func type(_ bytes: [UInt8]) { pair.type(bytes) }

    func send(_ signal: Int32) { child.send(signal) }

    /// Changes the size, at which the system signals the program.
    func resize(columns: Int, rows: Int) {
        let cell = state.withLock { state in
            state.screen.resize(columns: columns, rows: rows)
            return state.screen.cell
        }
        pair.resize(columns: columns, rows: rows, cell: tellsPixels ? cell : (0, 0))
    }

    /// Changes the size of a cell and not how many there are, as a larger font does; for one that tells pixels.
    func zoom(to cell: (width: Int, height: Int)) {
        let (columns, rows) = state.withLock { state in
            state.screen.cell = cell
            return (state.screen.columns, state.screen.rows)
        }
        pair.resize(columns: columns, rows: rows, cell: cell)
    }
}

// MARK: - A terminal with moods

extension FakeTerminal {
    /// The answers that are held, oldest first.
    var heldAnswers: [String] { state.withLock(\.heldAnswers) }

    /// Ends the holding; answers what is held unless the caller does.
    func stopHolding(answering: Bool = true) {
        let held = state.withLock { state in
            defer { (state.isHolding, state.heldAnswers) = (false, []) }
            return state.heldAnswers
        }
        if answering { held.forEach(type) }
    }

    /// Gives the held answers when the program leaves the alternate screen.
    func answerAtTheEnd() { state.withLock { $0.answersAtTheEnd = true } }

    /// Whether the program has read all that was typed and answered.
    var isAllRead: Bool { pair.unreadCount == 0 }

    /// How much of the program's output waits in the system, to 4096 bytes.
    var waitingOutput: Int { pair.waitingOutput }

    /// Does what another program would do to the screen while ours stands still.
    func spoil() {
        state.withLock { $0.screen.feed(Array("\u{1B}[2J\u{1B}[Hspoilt".utf8)) }
        pair.makeSane()
    }

    /// Stops reading, as a terminal does that hangs.
    func pause() { state.withLock { $0.isPaused = true } }

    func resume() {
        state.withLock { $0.isPaused = false }
        resumption.signal()
    }

    /// Goes away at the program's next word, as a window does that is closed; typing `text` is to bring that about.
    func hangUp(after text: String) {
        state.withLock { state in
            state.isHangingUp = true
            // Within the lock the reader cannot have closed it.
            type(text)
        }
    }
}

// MARK: - Reading and answering

extension FakeTerminal {
    /// False when the terminal goes away.
    private func take(_ bytes: [UInt8]) -> Bool {
        let (answers, isPaused, isHangingUp) = state.withLock { state in
            state.transcript += bytes
            state.screen.feed(bytes)
            let questions = state.screen.takeQuestions()
            state.sizeRounds += questions.count { $0 == "16t" }
            let answers = questions.compactMap { kind.answer(to: $0, cell: state.screen.cell) }
            return (state.release(answers), state.isPaused, state.isHangingUp)
        }
        answers.forEach(type)
        if isPaused { resumption.wait() }
        return !isHangingUp
    }

    private static func read(_ master: Int32, _ body: ([UInt8]) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = Glibc.read(master, &buffer, buffer.count), count > 0 {
            guard body(Array(buffer.prefix(count))) else { break }
        }
        close(master)
    }
}
