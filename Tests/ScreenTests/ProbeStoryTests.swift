import Foundation
import TestSupport
import Testing

/// What the browser makes of terminals that answer late, in pieces, falsely, or not at all.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProbeStoryTests {
    private func open(
        _ kind: FakeTerminal.Kind, holdsAnswers: Bool = false, environment: [String: String] = [:],
        shell: String? = nil
    ) async throws -> FakeTerminal {
        let place = try Workplace.withPictures()
        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", place.pictures.path], in: place, kind: kind, shell: shell,
            environment: environment, holdsAnswers: holdsAnswers)
        try await eventually("the list") { terminal.screen.contains("two.png") && terminal.screen.contains("1/3") }
        return terminal
    }

    private func hasBlocks(_ terminal: FakeTerminal) -> Bool {
        guard terminal.screen.contains("120×80 PNG") else { return false }
        return terminal.screen.contains("▀") || String(decoding: terminal.transcript, as: UTF8.self).contains("48;5;")
    }

    /// Whether no key has filtered, marked, paused or chosen anything, nor opened a panel.
    private func isUntouched(_ terminal: FakeTerminal) -> Bool {
        let lines = terminal.screen.lines
        let isWhole = zip(lines.dropFirst(), ["one.png", "three.png", "two.png"]).allSatisfy { line, name in
            line.contains(name) && !line.contains("+")
        }
        return isWhole && chosen(terminal).contains("one.png") && terminal.screen.contains("120×80 PNG")
            && lines.last?.contains("1/3") == true && lines.last?.contains("paused") == false
    }

    private func chosen(_ terminal: FakeTerminal) -> String {
        terminal.screen.lines.first { $0.hasPrefix("▌") } ?? ""
    }

    /// Types bytes one at a time, each when the program has taken the one before.
    private func typeSlowly(_ bytes: [UInt8], into terminal: FakeTerminal) async throws {
        for byte in bytes {
            terminal.type([byte])
            await until { terminal.isAllRead }
        }
    }

    @Test func `a silent terminal shows blocks and every key works`() async throws {
        let terminal = try await open(.silent)
        try await eventually("blocks") { hasBlocks(terminal) }

        terminal.type("G")
        try await eventually("the last") { chosen(terminal).contains("two.png") }
        terminal.type("?")
        try await eventually("help") { terminal.screen.contains("next picture") }
        terminal.type("\u{1B}")
        try await eventually("no help") { !terminal.screen.contains("next picture") }
        terminal.type("q")

        try await eventually("the end") { terminal.status == 0 }
        #expect(terminal.screen.pictures == 0)
    }

    @Test func `late answers enable sixel and are not taken for keys`() async throws {
        let terminal = try await open(.sixel, holdsAnswers: true)
        try await eventually("blocks") { hasBlocks(terminal) }

        terminal.stopHolding()

        try await eventually("sixel") { terminal.screen.pixelCells > 0 }
        #expect(isUntouched(terminal))
    }

    @Test func `answers received byte by byte between keys lose neither answers nor keys`() async throws {
        let terminal = try await open(.sixel, holdsAnswers: true)
        try await eventually("all questions") { terminal.heldAnswers.contains { $0.hasSuffix("c") } }
        let answers = terminal.heldAnswers
        terminal.stopHolding(answering: false)

        let keys = Array("/abcdefghijklmnopqrstuvwxyz".unicodeScalars.prefix(answers.count + 1))
        for (answer, key) in zip(answers + [""], keys) {
            try await typeSlowly(Array(answer.utf8) + Array(String(key).utf8), into: terminal)
        }

        let typed = keys.dropFirst().reduce(into: "") { $0.unicodeScalars.append($1) }
        try await eventually("the filter as typed") { terminal.screen.contains(typed) }
        terminal.type("\u{1B}")
        try await eventually("sixel") { terminal.screen.pixelCells > 0 }
    }

    private static let silentLimits: [String: String?] = ["?1;1;0S": nil, "?2;4;0S": nil]
    private static let failingLimits: [String: String?] = [
        "?1;1;0S": "\u{1B}[?1;3S", "?2;1;0S": "\u{1B}[?2;3S", "?2;4;0S": "\u{1B}[?2;3S",
    ]

    @Test(arguments: [[:], silentLimits, failingLimits])
    func `sixel claimed through a multiplexer is ignored`(changes: [String: String?]) async throws {
        let terminal = try await open(
            .sixel.with(changes),
            environment: ["TERM": "tmux-256color", "TMUX": "/nowhere/at-all,1,0", "TMUX_PANE": "%0"])

        try await eventually("blocks") { hasBlocks(terminal) }

        #expect(terminal.screen.pictures == 0)
    }

    @Test func `sixel with silent or failing limits is drawn with the default limits`() async throws {
        for changes in [Self.silentLimits, Self.failingLimits] {
            let terminal = try await open(.sixel.with(changes))
            try await eventually("sixel") { terminal.screen.pixelCells > 0 }
        }
    }

    @Test func `cells of 10×20, known only from their own report, determine the size of the picture`() async throws {
        var kind = FakeTerminal.Kind.silent.with(["c": "\u{1B}[?62;4c", "16t": ""])
        kind.cell = (10, 20)

        let terminal = try await open(kind)

        // 120×80 pixels are 12×4 cells of that size.
        try await eventually("the picture in 48 cells") { terminal.screen.pixelCells == 48 }
    }

    @Test func `a terminal with sixteen registers gets no more colours`() async throws {
        let place = try Workplace(files: [:])
        try FileManager.default.createSymbolicLink(
            at: place.pictures, withDestinationURL: BuiltProgram.root.appending(path: "assets/pictures"))

        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", place.pictures.path], in: place,
            kind: .sixel.with(["?1;1;0S": "\u{1B}[?1;0;16S"]))
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }

        let text = String(decoding: terminal.transcript, as: UTF8.self)
        let registers = text.matches(of: /#(\d+);2;/).compactMap { Int($0.1) }
        #expect(registers.count > 8)
        #expect(registers.allSatisfy { $0 < 16 })
    }

    @Test(arguments: ["\u{1B}P", "\u{1B}]11;", "\u{1B}[", "\u{1B}_G", ""])
    func `a megabyte of garbage triggers no keys and uses little memory`(beginning: String) async throws {
        let terminal = try await open(.sixel)
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }
        let before = try #require(terminal.process.peakMemory)
        var random = SeededRandom(seed: 2026)
        // What would end the program or send it to sleep might come before the first thousand is there.
        let bytes = (0..<1 << 20).map { _ in UInt8.random(in: 0...255, using: &random) }
            .filter { ![3, 26, UInt8(ascii: "q")].contains($0) }

        terminal.type(Array(beginning.utf8) + bytes)
        try await eventually("all of it was read") { terminal.isAllRead }
        // Whatever was begun ends at that.
        terminal.type("\u{18}\u{1B}\\\u{1B}[201~\u{18}\u{1B}\\")

        try await eventually("an obeyed key") {
            terminal.type("G")
            return chosen(terminal).contains("two.png")
        }
        terminal.type("gg")
        try await eventually("the same as before") { isUntouched(terminal) && terminal.screen.pixelCells > 0 }
        #expect(try #require(terminal.process.peakMemory) - before < 32 << 20)
        terminal.type("q")
        try await eventually("the end") { terminal.status == 0 }
    }

    // The answers come when the program says good-bye, or with the key that ends it.
    @Test(arguments: [true, false])
    func `no answer is left for the shell`(isLate: Bool) async throws {
        let terminal = try await open(
            .sixel, holdsAnswers: true, shell: #""$0" "$@"; echo over; read -r line; echo "got [$line]""#)
        try await eventually("all questions") { terminal.heldAnswers.contains { $0.hasSuffix("c") } }

        if isLate {
            terminal.answerAtTheEnd()
            terminal.type("q")
        } else {
            terminal.type("q" + terminal.heldAnswers.joined())
        }
        try await eventually("the shell") { terminal.screen.contains("over") }
        terminal.type("next\n")

        try await eventually("the shell reads a line") { terminal.screen.contains("got [") }
        #expect(terminal.screen.contains("got [next]"))
    }
}
