import AlcedoBrowserCore
import Foundation
import Raster
import TestSupport
import Testing

/// Thousands of actions, in a terminal that knows of every cell whose pixels it shows.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct StoryTests {
    private static let windows = [(100, 30), (120, 40), (84, 26), (62, 28)]
    private static let cells = [(6, 12), (7, 14), (8, 16), (6, 13)]
    private static let keys = [
        "j", "k", "gg", "G", "\u{1B}[A", "\u{1B}[B", "\r", "\r", "?", "\u{1B}OP", "w", "i", "/", "tw", "\u{7F}",
        "\u{7F}", " ", "r", "p", ".", "\t", "t", "t", "h", "l", "\u{C}", "\u{4}", "\u{15}",
    ]

    @Test(arguments: [(true, 2026), (false, 1121)])
    func `picture pixels are only where the state says`(hasTransitions: Bool, seed: UInt64) async throws {
        let gallery = try await Gallery.open(QuadrantPicture.unlikeText)
        let terminal = try FakeTerminal(
            ["browse", hasTransitions ? "--transitions" : "--no-transitions", gallery.list], in: gallery.place,
            tellsPixels: true)
        var story = try await CellStory(terminal, of: gallery, columns: 100, rows: 30)
        var random = SeededRandom(seed: seed)

        while story.count < 2500 {
            for _ in 0..<Int.random(in: 1...9, using: &random) {
                story.press(Self.keys.randomElement(using: &random) ?? "j")
            }
            try await story.rest()
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                let (columns, rows) = Self.windows.randomElement(using: &random) ?? (100, 30)
                try await story.resize(columns: columns, rows: rows)
            case 2: try await story.stopAndContinue()
            case 3: try await story.zoom(to: Self.cells.randomElement(using: &random) ?? (6, 12))
            default: break
            }
        }
        try await story.quit()

        await gallery.close()
    }
}
