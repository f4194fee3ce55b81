import Foundation
import TestSupport
import Testing

/// Two hundred actions in real terminals.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PixelStoryTests {
    /// As X names them, and as terminals send them.
    private static let keys = [
        ("j", "j"), ("k", "k"), ("G", "G"), ("Up", "\u{1B}[A"), ("Down", "\u{1B}[B"), ("Return", "\r"),
        ("question", "?"), ("F1", "\u{1B}OP"), ("w", "w"), ("i", "i"), ("slash", "/"), ("BackSpace", "\u{7F}"),
        ("space", " "), ("r", "r"), ("Tab", "\t"), ("ctrl+l", "\u{C}"), ("ctrl+d", "\u{4}"), ("ctrl+u", "\u{15}"),
        ("period", "."), ("p", "p"), ("t", "t"), ("t", "t"), ("h", "h"), ("l", "l"),
    ]
    private static let windows = [(100, 30), (112, 34), (84, 26)]

    @Test(arguments: PixelScreen.Terminal.withSixel)
    func `after 200 random actions only the current picture is drawn, in its place`(
        in terminal: PixelScreen.Terminal
    ) async throws {
        let gallery = try await Gallery.open(QuadrantPicture.unlikeText)
        let screen = try await PixelScreen(gallery.place, in: terminal, ["--transitions"], list: gallery.list)
        var story = try await PixelStory(screen, of: gallery)
        var random = SeededRandom(seed: 1121)

        while story.count < 200 {
            try await story.press((0..<10).map { _ in Self.keys.randomElement(using: &random) ?? ("j", "j") })
            try await story.rest()
            if Int.random(in: 0..<3, using: &random) == 0,
                let (columns, rows) = Self.windows.randomElement(using: &random)
            {
                try await story.resize(columns: columns, rows: rows)
            }
        }
        try await story.quit()

        await gallery.close()
    }
}
