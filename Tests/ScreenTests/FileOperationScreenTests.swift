import Foundation
import TestSupport
import Testing

/// Files are moved, renamed and brought back from the browser, and the list follows.
@Suite(.serialized, .timeLimit(.minutes(3))) struct FileOperationScreenTests {
    @Test func `trash, rename, move and undo, seen in the list and on the disk`() async throws {
        let place = try Workplace()
        for name in ["a", "b", "c"] {
            try FileManager.default.createDirectory(atPath: place.path("photos"), withIntermediateDirectories: true)
            try Data(QuadrantPicture.one.png).write(to: URL(filePath: place.path("photos/\(name).png")))
        }
        func files() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: place.path("photos"))) ?? []).sorted()
        }
        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", "--no-session", place.path("photos")], in: place, columns: 110)
        func type(_ keys: String, until words: String...) async throws {
            try await press(keys, terminal, until: words)
        }
        try await type("", until: "1/3", "a.png", "120×80 PNG")
        try await type("\u{1B}[3~", until: "a.png to the trash", "1/2")
        #expect(files() == ["b.png", "c.png"])
        try await type("U", until: "undone: a.png to the trash", "1/3")
        #expect(files() == ["a.png", "b.png", "c.png"])

        try await type("gg:rename é -x.png", until: "rename é -x.png")
        try await enter(terminal, until: "renamed to é -x.png")
        #expect(files() == ["b.png", "c.png", "é -x.png"])
        // The row goes to its place in the folder, and the cursor with it.
        try await eventually("one row each") { terminal.screen.contains("3/3") && !terminal.screen.contains(" a.png ") }
        try await type("U", until: "undone")
        #expect(files() == ["a.png", "b.png", "c.png"])

        let target = place.path("best")
        try await type("gg  :move \(target)", until: "2 marked pictures")
        try await enter(terminal, until: "2 pictures moved to", "1/1")
        #expect(files() == ["c.png"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).sorted() == ["a.png", "b.png"])
        try await type("U", until: "undone: 2 pictures", "/3")
        #expect(files() == ["a.png", "b.png", "c.png"] && !FileManager.default.fileExists(atPath: target))
        try await type("U", until: "nothing to take back")
        terminal.type("q")
        try await eventually("the end") { terminal.status == 0 }
    }

    @Test func `a file that was moved between two listed folders has one row, before and after undo`() async throws {
        let place = try Workplace()
        for name in ["a/1.png", "a/2.png", "b/3.png"] {
            let path = place.path("photos/" + name)
            try FileManager.default.createDirectory(
                atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
            try Data(QuadrantPicture.one.png).write(to: URL(filePath: path))
        }
        let terminal = try FakeTerminal(
            ["browse", "-r", "--no-transitions", "--no-session", place.path("photos")], in: place, columns: 110)
        func see(_ what: String, _ words: String...) async throws {
            try await eventually(what, seen: terminal.screen.text) { words.allSatisfy(terminal.screen.contains) }
        }
        try await see("the list", "1/3")
        terminal.type(":move \(place.path("photos/b"))")
        try await see("the command", "photos/b")
        try await enter(terminal, until: "1.png moved to")
        try await see("the row of the new place", "/3", "3.png", "1.png", "2.png")
        terminal.type("U")
        try await see("the row of the old place", "undone", "/3", "1.png")
        #expect(!terminal.screen.contains("2/4") && !terminal.screen.contains("1/4"))
        terminal.type("q")
        try await eventually("the end") { terminal.status == 0 }
    }

    @Test func `taken names are asked for, several names change in the editor, and a used folder is offered`()
        async throws
    {
        let place = try Workplace()
        func write(_ name: String, _ data: Data) throws {
            let file = URL(filePath: place.path(name))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
        func names(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: place.path(folder))) ?? []).sorted()
        }
        let picture = Data(QuadrantPicture.one.png)
        for name in ["photos/a.png", "photos/b.png", "photos/c.png"] { try write(name, picture) }
        try write("best/b.png", Data("another".utf8))
        // Swaps the first two lines.
        try write("swap", Data("#!/bin/sh\nsed -i '1{h;d};2{G}' \"$1\"\n".utf8))
        chmod(place.path("swap"), 0o755)
        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", place.path("photos")], in: place, columns: 110,
            environment: ["VISUAL": place.path("swap")])
        func type(_ keys: String, until words: String...) async throws {
            try await press(keys, terminal, until: words)
        }
        try await type("", until: "1/3", "120×80 PNG")
        // The editor swaps two names.
        try await type("  ", until: "+ 2")
        try await type("\u{1B}OQ", until: "rename 2: 2 change", "⏎ rename 2")
        try write("photos/b.png", picture + [0])
        try await type("\r", until: "2 pictures renamed")
        #expect(names("photos") == ["a.png", "b.png", "c.png"])
        #expect(try Data(contentsOf: URL(filePath: place.path("photos/a.png"))) == picture + [0])
        try await type("u", until: "none marked")

        // The rows are in the order of their new names.
        try await type("ggj:move \(place.path("best"))", until: "this picture")
        try await enter(terminal, until: "the name is taken", "r replace")
        try await type("k", until: "b.png moved to", "/2")
        #expect(names("best") == ["b-2.png", "b.png"] && names("photos") == ["a.png", "c.png"])
        try await type("M", until: "move this picture to", "1  ", "best", "ago")
        try await type("\u{1B}", until: "j k move")
        terminal.type("q")
        try await eventually("the end") { terminal.status == 0 }
    }

    private func enter(_ terminal: FakeTerminal, until words: String...) async throws {
        try await press("\r", terminal, until: words)
    }

    /// Types keys, and once more if that is asked for, as it is right after other keys.
    private func press(_ keys: String, _ terminal: FakeTerminal, until words: [String]) async throws {
        terminal.type(keys)
        var isAsked = false
        try await eventually("\(keys): \(words)", seen: terminal.screen.text) {
            if words.allSatisfy(terminal.screen.contains) { return true }
            let asks = terminal.screen.contains("once more")
            if asks, !isAsked { terminal.type(keys) }
            isAsked = asks
            return false
        }
    }
}
