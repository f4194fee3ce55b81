import FaultServer
import Foundation
import TestSupport
import Testing

/// What stands where a picture will be, or should have been.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PlaceholderStoryTests {
    private let place: Workplace
    private let gate = FaultGate()

    init() throws { place = try Workplace.withPictures() }

    /// A server that sends the head of a picture and half of its bytes, and the rest when the gate opens.
    private func slowServer() async throws -> FaultServer {
        let picture = QuadrantPicture.one.png
        let half = picture.count / 2
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(picture.count)\r\n\r\n"
        return try await FaultServer.start([
            "/slow.png": FaultScript([
                .send(Array(head.utf8) + picture.prefix(half)), .wait(gate), .send(Array(picture.dropFirst(half))),
                .close,
            ])
        ])
    }

    private func browse(_ sources: String..., options: String...) throws -> FakeTerminal {
        try FakeTerminal(["browse", "--no-transitions"] + options + sources, in: place)
    }

    @Test func `a placeholder and an indicator from files are shown until the picture arrives`() async throws {
        let server = try await slowServer()
        let terminal = try browse(
            server.url("/slow.png"),
            options: "--placeholder", place.pictures.appending(path: "two.png").path, "--indicator",
            BuiltProgram.picture("harbour.gif").path)

        try await eventually("both") { terminal.screen.pictures >= 2 && terminal.screen.pixelCells > 100 }
        let before = terminal.screen.pixelCells
        gate.open()

        try await eventually("the picture alone") { terminal.screen.contains("120×80 PNG") }
        try await eventually("its cells alone") {
            terminal.screen.pixelCells > 0 && terminal.screen.pixelCells < before
        }
        await server.stop()
    }

    @Test func `a failure picture replaces the card`() async throws {
        let server = try await FaultServer.start(["/gone.png": .status(404)])
        let terminal = try browse(
            server.url("/gone.png"), options: "--failure", place.pictures.appending(path: "two.png").path)

        try await eventually("pixels") { terminal.screen.pixelCells > 0 }
        #expect(!terminal.screen.contains("tries again"))
        await server.stop()
    }

    @Test func `a file that is not a picture is reported and the browser does not open`() async throws {
        let terminal = try browse(place.pictures.path, options: "--placeholder", "/nowhere.png")

        try await eventually("why") { terminal.screen.contains("cannot read /nowhere.png") }
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status != 0)
        #expect(!String(decoding: terminal.transcript, as: UTF8.self).contains("\u{1B}[?1049h"))
    }

    @Test func `the example program shows its custom placeholder and indicator`() async throws {
        let server = try await slowServer()
        let share = QuadrantPicture.one.png.count / 2 * 100 / QuadrantPicture.one.png.count
        let terminal = try FakeTerminal(
            [try BuiltProgram.url("GalleryExample").path, "browse", server.url("/slow.png")], in: place,
            shell: #"GALLERY_CACHE="$HOME/gallery" exec "$@""#)

        try await eventually("the name in capitals, and per cent") {
            terminal.screen.contains("SLOW.PNG") && terminal.screen.contains("\(share) %")
        }
        gate.open()

        try await eventually("the picture") { terminal.screen.pixelCells > 0 && !terminal.screen.contains("SLOW.PNG") }
        terminal.type("q")
        try await eventually("the end") { terminal.status == 0 }
        await server.stop()
    }
}
