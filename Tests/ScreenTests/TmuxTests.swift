import AlcedoBrowserCore
import AlcedoScreen
import Foundation
import TestSupport
import Testing

/// The browser in a pane of tmux that lets pictures through.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TmuxTests {
    private static let keys = [
        "j", "k", "gg", "G", "\r", "\r", "?", "\u{1B}OP", "w", "i", "/", "tw", "\u{7F}", "\u{7F}", " ", "\u{C}",
    ]

    /// tmux in a terminal of 160 × 40 cells; the browser has 100 × 26 of them, at 60, 14, below a line at the top.
    private func open(
        _ gallery: Gallery, kind: FakeTerminal.Kind = .sixel, graphics: String, passthrough: String
    ) throws -> FakeTerminal {
        try writeSettings(gallery, passthrough: passthrough)
        return try FakeTerminal(
            ["browse", "--no-transitions", "--graphics", graphics, gallery.list], in: gallery.place, columns: 160,
            rows: 40, kind: kind,
            shell: """
                exec tmux -L story -f "$HOME/../tmux.conf" new-session "read -r line" \\; \
                split-window -h -l 100 "read -r line" \\; split-window -v -l 26 "$0" "$@"
                """,
            environment: ["TMUX_TMPDIR": gallery.place.folder.path, "SHELL": "/bin/sh"], tellsPixels: true)
    }

    private func writeSettings(_ gallery: Gallery, passthrough: String) throws {
        try gallery.place.write(
            """
            set -g allow-passthrough \(passthrough)
            set -g status-position top
            set -g default-terminal tmux-256color
            set -g focus-events on
            """, to: "tmux.conf")
    }

    /// Tells the server of tmux something.
    private func tmux(_ gallery: Gallery, _ command: String...) async throws {
        let environment = gallery.place.environment.merging(["TMUX_TMPDIR": gallery.place.folder.path]) { $1 }
        _ = try await Tool.run(
            ["/usr/bin/tmux", "-L", "story"] + command, environment: environment, folder: gallery.place.folder)
    }

    /// Runs a body with a gallery, and ends the server of tmux whatever happened.
    private func withGallery(
        _ pictures: [(name: String, picture: QuadrantPicture)] = QuadrantPicture.all,
        _ body: (Gallery) async throws -> Void
    ) async throws {
        let gallery = try await Gallery.open(pictures)
        let result: Result<Void, any Error>
        do { result = .success(try await body(gallery)) } catch { result = .failure(error) }
        try await tmux(gallery, "kill-server")
        await gallery.close()
        try result.get()
    }

    @Test func `after random actions pictures are in their places in the pane`() async throws {
        try await withGallery { gallery in
            let terminal = try open(gallery, graphics: "sixel", passthrough: "on")
            var story = try await CellStory(terminal, of: gallery, columns: 100, rows: 26)
            story.origin = Position(column: 60, row: 14)
            var random = SeededRandom(seed: 33)

            try await story.rest()
            while story.count < 300 {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    story.press(Self.keys.randomElement(using: &random) ?? "j")
                }
                try await story.rest()
            }
        }
    }

    @Test func `the picture follows its pane and reappears with its window`() async throws {
        try await withGallery { gallery in
            let terminal = try open(gallery, graphics: "sixel", passthrough: "on")
            var story = try await CellStory(terminal, of: gallery, columns: 100, rows: 26)
            story.origin = Position(column: 60, row: 14)
            try await story.rest()

            try await tmux(gallery, "new-window", "read -r line")
            try await eventually("another window, without the picture") { terminal.screen.pixelCells == 0 }
            try await tmux(gallery, "last-window")
            try await story.rest()
            try await tmux(gallery, "set", "-g", "status-position", "bottom")
            terminal.type("\u{C}")
            story.origin.row -= 1
            try await story.rest()
        }
    }

    @Test(arguments: [("sixel", "off", ""), ("auto", "on", ""), ("auto", "off", "foot(1.16.2)")])
    func `blocks are drawn if pictures cannot pass or the terminal is unknown`(
        graphics: String, passthrough: String, name: String
    ) async throws {
        try await withGallery { gallery in
            let kind = FakeTerminal.Kind.sixel.with([">q": "\u{1B}P>|\(name)\u{1B}\\"])
            let terminal = try open(gallery, kind: kind, graphics: graphics, passthrough: passthrough)

            try await eventually("the facts of the picture") { terminal.screen.contains("120×80 PNG") }
            try await eventually("blocks") {
                String(decoding: terminal.transcript, as: UTF8.self).contains("48;5;196")
            }

            #expect(terminal.screen.pictures == 0)
        }
    }

    @Test func `a terminal known for sixel gets it without a query`() async throws {
        try await withGallery { gallery in
            let kind = FakeTerminal.Kind.sixel.with([">q": "\u{1B}P>|foot(1.16.2)\u{1B}\\"])
            let terminal = try open(gallery, kind: kind, graphics: "auto", passthrough: "on")
            var story = try await CellStory(terminal, of: gallery, columns: 100, rows: 26)
            story.origin = Position(column: 60, row: 14)

            try await story.rest()

        }
    }

    @Test func `a real terminal shows the picture in the pane`() async throws {
        try await withGallery(QuadrantPicture.unlikeText) { gallery in
            try writeSettings(gallery, passthrough: "on")
            let screen = try await PixelScreen(
                gallery.place, ["--no-transitions", "--graphics", "sixel"], list: gallery.list,
                script: """
                    TMUX_TMPDIR="$HOME/.." exec tmux -L story -f "$HOME/../tmux.conf" new-session "read -r line" \\; \
                    split-window -v -l 26 "$0" "$@"
                    """)
            var story = try await PixelStory(
                screen, of: gallery, rows: 26, origin: Position(column: 0, row: PixelScreen.rows - 26))
            try await story.rest()
            for keys in [[("G", "G")], [("question", "?")], [("F1", "\u{1B}OP")], [("k", "k"), ("Return", "\r")]] {
                try await story.press(keys)
                try await story.rest()
            }
        }
    }
}
