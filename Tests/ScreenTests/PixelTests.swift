import Foundation
import TestSupport
import Testing

/// Pictures as a real terminal shows them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PixelTests {
    private static let sixelTerminals = [PixelScreen.Terminal.xterm, .mlterm]

    /// Waits until the pane holds the picture and nothing else; answers what is to be seen then.
    @discardableResult
    private func whole(_ name: String, on screen: PixelScreen, error limit: Double = 0.02) async throws -> Bitmap {
        var result: Bitmap?
        try await eventually("\(name) alone in the pane") {
            let shot = try await screen.shot()
            guard let area = shot.picture,
                let reference = try await screen.reference(name, width: area.x.count, height: area.y.count)
            else { return false }
            result = shot
            return shot.meanError(to: reference, at: area) <= limit
        }
        return try #require(result)
    }

    private func count(of picture: QuadrantPicture, in shot: Bitmap) -> Int {
        picture.colors.map { shot.count(of: $0, in: shot.area) }.reduce(0, +)
    }

    @Test(arguments: sixelTerminals)
    func `the preview holds the picture's pixels in their places`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)

        let shot = try await whole("one.png", on: screen)

        let area = try #require(shot.picture)
        #expect(abs(Double(area.x.count) / Double(area.y.count) - 1.5) < 0.05)
    }

    @Test(arguments: sixelTerminals)
    func `a photograph is shown with little loss`(in terminal: PixelScreen.Terminal) async throws {
        let place = try Workplace.withPictures()
        try FileManager.default.copyItem(
            at: BuiltProgram.picture("dunes-at-noon.jpg"), to: place.pictures.appending(path: "a-photo.jpg"))

        try await whole("a-photo.jpg", on: try await PixelScreen(place, in: terminal))
    }

    @Test(arguments: sixelTerminals)
    func `nothing of a picture is left after moving to another`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await whole("one.png", on: screen)

        try await screen.press("G")
        let shot = try await whole("two.png", on: screen)

        #expect(count(of: .two, in: shot) > 0)
        #expect(shot.count(of: [0, 0, 255], in: shot.pane) == 0)
        #expect(shot.count(of: [255, 255, 0], in: shot.pane) == 0)
    }

    @Test(arguments: sixelTerminals)
    func `help covers the picture, and closing brings it back`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await screen.press("G")
        try await whole("two.png", on: screen)

        try await screen.press("question")
        try await eventually("help without pixels of the picture") {
            let shot = try await screen.shot()
            return count(of: .two, in: shot) == 0 && shot.picture != nil
        }
        try await screen.press("Escape")

        try await whole("two.png", on: screen)
    }

    @Test(arguments: sixelTerminals)
    func `a window of another size shows the picture alone again`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await screen.press("G")
        let before = try await whole("two.png", on: screen)

        for (width, height) in [(before.width - 120, before.height - 90), (before.width + 150, before.height + 60)] {
            try await screen.resize(width: width, height: height)
            try await eventually("the window has its size") {
                let shot = try await screen.shot()
                return abs(shot.width - width) < 20 && abs(shot.height - height) < 20
            }
            try await whole("two.png", on: screen)
        }
    }

    @Test(arguments: sixelTerminals)
    func `quitting leaves no pixels`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await screen.press("G")
        try await whole("two.png", on: screen)

        try await screen.press("q")

        try await eventually("text and no pixels of the picture") {
            let shot = try await screen.shot()
            guard count(of: .two, in: shot) == 0,
                let text = shot.bounds(apartFrom: PixelScreen.background, in: shot.area)
            else { return false }
            return text.y.upperBound < shot.height / 4
        }
    }

    @Test func `a terminal without sixel shows blocks in the picture's colours`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: .plain)
        try await screen.press("G")

        try await eventually("the colours") {
            let shot = try await screen.shot()
            return [[0, 255, 255], [255, 0, 255]].allSatisfy { shot.count(of: $0, in: shot.pane) > 300 }
        }
    }

    @Test(arguments: sixelTerminals, [2026, 1121])
    func `whatever 200 actions did, the picture stands alone again`(
        in terminal: PixelScreen.Terminal, seed: UInt64
    ) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        let start = try await whole("one.png", on: screen)
        var random = SeededRandom(seed: seed)
        let keys = [
            "j", "k", "g", "G", "Return", "Escape", "question", "slash", "o", "w", "i", "Tab", "space", "ctrl+l",
            "ctrl+d", "r", "Page_Down", "BackSpace",
        ]

        for round in 0..<20 {
            try await screen.press((0..<10).map { _ in keys.randomElement(using: &random) ?? "j" })
            let shrinks = [0, 90, 170].randomElement(using: &random) ?? 0
            if round % 4 == 3 { try await screen.resize(width: start.width - shrinks, height: start.height - shrinks) }
        }
        try await screen.resize(width: start.width, height: start.height)
        try await screen.press("Escape", "Escape", "Escape", "Escape", "g", "g")

        try await whole("one.png", on: screen)
        try await screen.press("G")
        try await whole("two.png", on: screen)
    }
}
