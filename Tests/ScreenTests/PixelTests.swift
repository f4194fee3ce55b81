import Foundation
import TestSupport
import Testing

/// Pictures as real terminals show them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PixelTests {
    /// The first of the second picture's colours is one that letters may have.
    private func count(of picture: QuadrantPicture, in shot: Bitmap) -> Int {
        picture.colors.dropFirst().map { shot.count(of: $0, in: shot.area) }.reduce(0, +)
    }

    @Test(arguments: PixelScreen.Terminal.withSixel)
    func `the preview shows the pixels of the picture in place`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)

        let shot = try await screen.whole("one.png")

        let area = try #require(shot.picture)
        #expect(abs(Double(area.x.count) / Double(area.y.count) - 1.5) < 0.05)
    }

    @Test(arguments: PixelScreen.Terminal.withSixel)
    func `a photograph is shown with a small error`(in terminal: PixelScreen.Terminal) async throws {
        let place = try Workplace.withPictures()
        try FileManager.default.copyItem(
            at: BuiltProgram.picture("dunes-at-noon.jpg"), to: place.pictures.appending(path: "a-photo.jpg"))

        try await PixelScreen(place, in: terminal).whole("a-photo.jpg")
    }

    @Test(arguments: PixelScreen.Terminal.withSixel)
    func `moving to another picture leaves no pixels of the old one`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await screen.whole("one.png")

        try await screen.press("G")
        let shot = try await screen.whole("two.png")

        #expect(count(of: .two, in: shot) > 0)
        #expect(shot.count(of: [0, 0, 255], in: shot.pane) == 0)
        #expect(shot.count(of: [255, 255, 0], in: shot.pane) == 0)
    }

    @Test(arguments: PixelScreen.Terminal.withSixel)
    func `help covers the picture and closing it restores the picture`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await screen.press("G")
        try await screen.whole("two.png")

        try await screen.press("question")
        try await eventually("help without pixels of the picture") {
            let shot = try await screen.shot()
            return count(of: .two, in: shot) == 0 && shot.picture != nil
        }
        try await screen.press("Escape")

        try await screen.whole("two.png")
    }

    @Test(arguments: PixelScreen.Terminal.withSixel)
    func `after a resize only the picture is shown`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await screen.press("G")
        let before = try await screen.whole("two.png")

        for (width, height) in [(before.width - 120, before.height - 90), (before.width + 150, before.height + 60)] {
            try await screen.resize(width: width, height: height)
            try await screen.whole("two.png")
        }
    }

    @Test(arguments: PixelScreen.Terminal.withSixel)
    func `quitting leaves no pixels`(in terminal: PixelScreen.Terminal) async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: terminal)
        try await screen.press("G")
        try await screen.whole("two.png")

        try await screen.press("q")

        try await eventually("text and no pixels of the picture") {
            let shot = try await screen.shot()
            guard count(of: .two, in: shot) == 0,
                let text = shot.bounds(apartFrom: PixelScreen.background, in: shot.area)
            else { return false }
            return text.y.upperBound < shot.height / 4
        }
    }

    @Test func `a terminal without sixel shows the picture as blocks`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures(), in: .plain)
        try await screen.press("G")

        // Blocks end where a quarter of a cell does.
        try await eventually("the picture in about its size, with little loss") {
            let shot = try await screen.shot()
            guard let area = shot.picture, abs(area.x.count - 80) < 8, abs(area.y.count - 120) < 16,
                let reference = try await screen.reference("two.png", width: 80, height: 120)
            else { return false }
            return shot.meanError(to: reference.stretched(width: area.x.count, height: area.y.count), at: area) < 0.05
        }
    }

    // xterm's larger font comes with shift and the keypad's plus.
    @Test func `a larger font redraws the picture sharply in its place`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures())
        try await screen.press("G")
        let before = try await screen.whole("two.png")

        try await screen.press("shift+KP_Add")
        try await eventually("a larger window") { try await screen.shot().height > before.height }
        let after = try await screen.whole("two.png")

        let (old, new) = (try #require(before.picture), try #require(after.picture))
        #expect(new.y.lowerBound > old.y.lowerBound)
    }
}
