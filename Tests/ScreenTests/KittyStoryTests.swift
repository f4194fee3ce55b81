import Foundation
import TestSupport
import Testing

/// The browser in a terminal that knows kitty's graphics protocol.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct KittyStoryTests {
    private func open(_ options: String...) async throws -> FakeTerminal {
        let place = try Workplace.withPictures()
        let terminal = try FakeTerminal(["browse", place.pictures.path] + options, in: place, kind: .kitty)
        try await eventually("a picture of its own size") { size(terminal) == [120, 80] }
        return terminal
    }

    /// The sides of the one picture that stands; empty when there is none or more.
    private func size(_ terminal: FakeTerminal) -> [Int] {
        let pictures = terminal.screen.kitty.pictures
        guard pictures.count == 1 else { return [] }
        return pictures.values.flatMap { [$0.width, $0.height] }
    }

    @Test func `moving replaces the picture and removes the old one`() async throws {
        let terminal = try await open("--no-transitions")

        terminal.type("G")
        try await eventually("the last picture alone") { size(terminal) == [80, 120] }

        #expect(terminal.screen.pixelCells == 0)
    }

    @Test func `a popup hides the picture and closing it restores the picture`() async throws {
        let terminal = try await open()

        terminal.type("?")
        try await eventually("no picture under help") {
            terminal.screen.contains("next picture") && terminal.screen.kitty.pictures.isEmpty
        }
        terminal.type("\u{1B}")

        try await eventually("the picture again") { size(terminal) == [120, 80] }
    }

    @Test func `after redraw, resize and full screen there is one picture`() async throws {
        let terminal = try await open()

        let uploads = terminal.screen.kitty.uploads
        terminal.type("\u{0C}")
        try await eventually("drawn anew") { terminal.screen.kitty.uploads > uploads && size(terminal) == [120, 80] }
        terminal.resize(columns: 90, rows: 26)
        try await eventually("the list again") { terminal.screen.contains("three.png") && size(terminal) == [120, 80] }
        terminal.type("\r")
        try await eventually("full screen") { !terminal.screen.contains("three.png") && size(terminal) == [120, 80] }
        terminal.type("\r")

        try await eventually("one in the preview") {
            terminal.screen.contains("three.png") && size(terminal) == [120, 80]
        }
    }

    @Test(arguments: ["q", "kill"])
    func `quitting or a crash removes the picture`(way: String) async throws {
        let terminal = try await open()

        if way == "q" { terminal.type("q") } else { terminal.send(SIGSEGV) }
        try await eventually("the end") { terminal.status != nil && !terminal.screen.modes.contains(1049) }

        #expect(terminal.screen.kitty.pictures.isEmpty)
    }

    @Test func `show draws the picture inline`() async throws {
        let place = try Workplace.withPictures()
        let file = place.pictures.appending(path: "one.png").path

        let terminal = try FakeTerminal(["show", file], in: place, kind: .kitty)
        try await eventually("the end") { terminal.status == 0 }

        #expect(String(decoding: terminal.transcript, as: UTF8.self).contains("\u{1B}_Ga=T,q=2,"))
    }
}
