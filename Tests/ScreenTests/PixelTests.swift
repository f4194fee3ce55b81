import Foundation
import TestSupport
import Testing

/// Pictures as a real terminal shows them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PixelTests {
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

    @Test func `the preview holds the picture's pixels in their places`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures())

        let shot = try await whole("one.png", on: screen)

        let area = try #require(shot.picture)
        #expect(abs(Double(area.x.count) / Double(area.y.count) - 1.5) < 0.05)
    }

    @Test func `a photograph is shown with little loss`() async throws {
        let place = try Workplace.withPictures()
        try FileManager.default.copyItem(
            at: BuiltProgram.picture("dunes-at-noon.jpg"), to: place.pictures.appending(path: "a-photo.jpg"))

        try await whole("a-photo.jpg", on: try await PixelScreen(place))
    }

    @Test func `nothing of a picture is left after moving to another`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures())
        try await whole("one.png", on: screen)

        try await screen.press("G")
        let shot = try await whole("two.png", on: screen)

        #expect(count(of: .two, in: shot) > 0)
        #expect(shot.count(of: [0, 0, 255], in: shot.pane) == 0)
        #expect(shot.count(of: [255, 255, 0], in: shot.pane) == 0)
    }

    @Test func `help covers the picture, and closing brings it back`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures())
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

    @Test func `a window of another size shows the picture alone again`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures())
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

    @Test func `quitting leaves no pixels`() async throws {
        let screen = try await PixelScreen(try Workplace.withPictures())
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
        let screen = try await PixelScreen(try Workplace.withPictures(), hasSixel: false)
        try await screen.press("G")

        try await eventually("the colours") {
            let shot = try await screen.shot()
            return [[0, 255, 255], [255, 0, 255]].allSatisfy { shot.count(of: $0, in: shot.pane) > 300 }
        }
    }
}
