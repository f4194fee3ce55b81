import Foundation
import TestSupport
import Testing

/// The browser in a terminal, as a person uses it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BrowserStoryTests {
    private func open(
        kind: FakeTerminal.Kind = .sixel, _ options: String...
    ) async throws -> FakeTerminal {
        let place = try Workplace.withPictures()
        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", place.pictures.path] + options, in: place, kind: kind)
        try await eventually("the list") { terminal.screen.contains("two.png") && terminal.screen.contains("one.png") }
        return terminal
    }

    /// The row of the list that is chosen.
    private func chosen(_ terminal: FakeTerminal) -> String {
        terminal.screen.lines.first { $0.hasPrefix("▌") } ?? ""
    }

    @Test func `a folder opens as a list with the first picture beside it`() async throws {
        let terminal = try await open()

        try await eventually("a picture") { terminal.screen.pixelCells > 0 }

        let screen = terminal.screen
        #expect(screen.lines.count == 30)
        #expect(chosen(terminal).contains("one.png"))
        #expect(screen.contains("120×80 PNG"))
        #expect(screen.contains("1/3"))
        #expect(screen.modes.contains(1049) && !screen.modes.contains(25))
    }

    @Test func `without sixel the picture is drawn as blocks`() async throws {
        let terminal = try await open(kind: .plain)

        try await eventually("a picture") {
            terminal.screen.contains("▀") || terminal.screen.contains("▄")
                || String(decoding: terminal.transcript, as: UTF8.self).contains("48;5;196")
        }

        #expect(terminal.screen.pictures == 0)
        #expect(terminal.screen.pixelCells == 0)
    }

    @Test func `j and k move by a row, G and gg to the ends`() async throws {
        let terminal = try await open()

        for (keys, name) in [
            ("j", "three.png"), ("j", "two.png"), ("k", "three.png"), ("G", "two.png"), ("gg", "one.png"),
        ] {
            terminal.type(keys)
            try await eventually("\(keys) chooses \(name)") { chosen(terminal).contains(name) }
        }
    }

    @Test func `moving shows the next picture`() async throws {
        let terminal = try await open()
        try await eventually("the first") { terminal.screen.contains("120×80 PNG") && terminal.screen.pixelCells > 0 }
        let before = terminal.screen.pictures

        terminal.type("G")

        try await eventually("the last") { terminal.screen.contains("80×120 PNG") && terminal.screen.pictures > before }
    }

    @Test func `a filter narrows the list and Escape clears it`() async throws {
        let terminal = try await open()

        terminal.type("/tw")
        try await eventually("one of three") { terminal.screen.contains("1 of 3") }
        #expect(!terminal.screen.lines.dropFirst().joined().contains("three.png"))
        terminal.type("\u{1B}")

        try await eventually("all again") { terminal.screen.contains("three.png") }
    }

    @Test func `help covers the picture and closing it restores the picture`() async throws {
        let terminal = try await open()
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }
        let cells = terminal.screen.pixelCells

        terminal.type("?")
        try await eventually("help without a picture") {
            terminal.screen.contains("next picture") && terminal.screen.pixelCells == 0
        }
        terminal.type("\u{1B}")

        try await eventually("the picture again") {
            !terminal.screen.contains("next picture") && terminal.screen.pixelCells == cells
        }
    }

    @Test func `full screen shows a larger picture and returns`() async throws {
        let terminal = try await open()
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }

        terminal.type("\r")
        try await eventually("full screen") { !terminal.screen.contains("three.png") && terminal.screen.pixelCells > 0 }
        terminal.type("\r")

        try await eventually("the list again") {
            terminal.screen.contains("three.png") && terminal.screen.pixelCells > 0
        }
    }

    @Test func `the keys for details, tasks, mark, pause, reload and cancel work`() async throws {
        let terminal = try await open()
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }

        terminal.type("i")
        try await eventually("details") {
            terminal.screen.contains("location") && terminal.screen.contains("picture    120×80 PNG")
        }
        terminal.type("i")
        try await eventually("no details") { !terminal.screen.contains("location") }
        terminal.type("w")
        try await eventually("tasks") { terminal.screen.text.lowercased().contains("tasks") }
        terminal.type("w")
        terminal.type(" ")
        try await eventually("a mark") { terminal.screen.lines.contains { $0.contains("+") && $0.contains("one.png") } }
        terminal.type("gp")
        try await eventually("paused") { terminal.screen.text.lowercased().contains("paused") }
        terminal.type("gpxcrR")
        terminal.type("q")

        try await eventually("the end") { terminal.status != nil }
        #expect(terminal.status == 0)
    }

    @Test func `--select prints the marked pictures after the screen is restored`() async throws {
        let terminal = try await open(kind: .sixel, "--select")

        terminal.type("j ")
        try await eventually("a mark") {
            terminal.screen.lines.contains { $0.contains("+") && $0.contains("three.png") }
        }
        terminal.type("q")
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == 0)
        try await eventually("the path on the screen that was there before") {
            !terminal.screen.modes.contains(1049) && terminal.screen.lines.joined().contains("pictures/three.png")
        }
    }

    @Test func `a failing address shows its reason instead of the picture`() async throws {
        let place = try Workplace.withPictures()
        let list = try place.write("/nowhere/at-all.png\n", to: "list.txt")

        let terminal = try FakeTerminal(["browse", list], in: place)

        try await eventually("the reason") { terminal.screen.contains("no such file") && terminal.screen.contains("✗") }
    }

    @Test(arguments: [(1, 1), (20, 5), (80, 24), (200, 60), (3, 40), (300, 2)])
    func `every size is drawn and the picture reappears`(columns: Int, rows: Int) async throws {
        let terminal = try await open()
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }
        let rounds = terminal.sizeRounds

        terminal.resize(columns: columns, rows: rows)
        try await eventually("it asks for sizes") { terminal.sizeRounds > rounds }
        if columns >= 80, rows >= 24 {
            try await eventually("the status bar in the last row") {
                terminal.screen.lines.last?.contains("1/3") == true && terminal.screen.pixelCells > 0
            }
        }
        terminal.resize(columns: 100, rows: 30)

        try await eventually("everything again") { isWhole(terminal.screen) }
        #expect(terminal.status == nil)
    }

    @Test func `a window that shrinks and grows quickly is redrawn completely`() async throws {
        let terminal = try await open()
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }

        for (columns, rows) in [(20, 5), (1, 1), (90, 2), (100, 30)] { terminal.resize(columns: columns, rows: rows) }

        try await eventually("everything again") { isWhole(terminal.screen) }
    }

    private func isWhole(_ screen: ScreenModel) -> Bool {
        screen.contains("three.png") && screen.pixelCells > 0 && screen.lines.last?.contains("1/3") == true
    }

    @Test func `control characters in names do not reach the terminal`() async throws {
        let place = try Workplace.withPictures()
        let hostile = [
            "\u{1B}[2J\u{1B}]0;owned\u{7}.png", "\u{202E}gnp.png", "a\u{9B}31mb.png", "a\u{200B}b\u{FEFF}.png",
        ]
        let picture = Data(QuadrantPicture.three.png)
        for name in hostile { try picture.write(to: place.pictures.appending(path: name)) }
        let terminal = try FakeTerminal(["browse", "--no-transitions", place.pictures.path], in: place)
        try await eventually("seven") { terminal.screen.contains("/7") }

        for _ in hostile {
            terminal.type("ji")
            try await eventually("details") { terminal.screen.contains("location") }
            terminal.type("i")
            try await eventually("no details") { !terminal.screen.contains("location") }
        }
        terminal.type("q")
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.screen.strays.isEmpty)
        #expect(!String(decoding: terminal.transcript, as: UTF8.self).contains("owned\u{7}"))
        #expect(terminal.status == 0)
    }
}
